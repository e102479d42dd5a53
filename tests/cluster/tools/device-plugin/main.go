// A device plugin that offers devices which do not exist: the kubelet and the scheduler count and assign them as
// they do GPUs, and a container sees which it got in NVIDIA_VISIBLE_DEVICES. The kubelet finds the plugin by its
// socket in the plugin folder, also after a restart of either.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"net"
	"os"
	"strings"

	"google.golang.org/grpc"
	device "k8s.io/kubelet/pkg/apis/deviceplugin/v1beta1"
	registration "k8s.io/kubelet/pkg/apis/pluginregistration/v1"
)

type plugin struct {
	device.UnimplementedDevicePluginServer
	registration.UnimplementedRegistrationServer
	resource string
	count    int
}

func (p *plugin) GetInfo(context.Context, *registration.InfoRequest) (*registration.PluginInfo, error) {
	return &registration.PluginInfo{
		Type: registration.DevicePlugin, Name: p.resource, SupportedVersions: []string{device.Version}}, nil
}

func (p *plugin) NotifyRegistrationStatus(_ context.Context, status *registration.RegistrationStatus) (
	*registration.RegistrationStatusResponse, error) {
	log.Printf("registered: %v %s", status.PluginRegistered, status.Error)
	return &registration.RegistrationStatusResponse{}, nil
}

func (p *plugin) GetDevicePluginOptions(context.Context, *device.Empty) (*device.DevicePluginOptions, error) {
	return &device.DevicePluginOptions{}, nil
}

func (p *plugin) ListAndWatch(_ *device.Empty, stream device.DevicePlugin_ListAndWatchServer) error {
	response := &device.ListAndWatchResponse{}
	for i := range p.count {
		response.Devices = append(response.Devices,
			&device.Device{ID: fmt.Sprintf("GPU-%d", i), Health: device.Healthy})
	}
	if err := stream.Send(response); err != nil {
		return err
	}
	<-stream.Context().Done()
	return nil
}

func (p *plugin) Allocate(_ context.Context, request *device.AllocateRequest) (*device.AllocateResponse, error) {
	response := &device.AllocateResponse{}
	for _, container := range request.ContainerRequests {
		visible := strings.Join(container.DevicesIds, ",")
		response.ContainerResponses = append(response.ContainerResponses,
			&device.ContainerAllocateResponse{Envs: map[string]string{"NVIDIA_VISIBLE_DEVICES": visible}})
	}
	return response, nil
}

func main() {
	socket := flag.String("socket", "", "where to listen: a path in the kubelet's plugins_registry")
	resource := flag.String("resource", "nvidia.com/gpu", "the resource to offer")
	count := flag.Int("count", 2, "how many devices")
	flag.Parse()

	os.Remove(*socket)
	listener, err := net.Listen("unix", *socket)
	if err != nil {
		log.Fatal(err)
	}
	server := grpc.NewServer()
	p := &plugin{resource: *resource, count: *count}
	device.RegisterDevicePluginServer(server, p)
	registration.RegisterRegistrationServer(server, p)
	log.Fatal(server.Serve(listener))
}
