// A library like NVIDIA's with two GPUs: a whole one, and one in two MIG slices. Of NVML's ABI it
// has what worker/measure/nvml.cc asks for, but for the memory clock, which this "driver" lacks.
#include <cstring>

namespace {

struct FakeDevice {
  const char* name;
  const char* uuid;
  unsigned long long memory;
  bool sliced;
};
FakeDevice whole = {"NVIDIA H200", "GPU-1", 150'000'000'000ULL, false};
FakeDevice parent = {"NVIDIA A100-SXM4-40GB", "GPU-2", 40'000'000'000ULL, true};
FakeDevice slices[] = {
    {"NVIDIA A100-SXM4-40GB MIG 1g.5gb", "MIG-1", 5'000'000'000ULL, false},
    {"NVIDIA A100-SXM4-40GB MIG 2g.10gb", "MIG-2", 10'000'000'000ULL, false},
};
bool begun = false;
constexpr int kSuccess = 0, kInvalidArgument = 2, kNotFound = 6;

int Fill(const char* value, char* text, unsigned length) {
  if (std::strlen(value) >= length) return kInvalidArgument;
  std::strcpy(text, value);
  return kSuccess;
}

struct Memory {
  unsigned long long total, free, used;
};

}  // namespace

extern "C" {

int nvmlInit_v2() {
  begun = true;
  return kSuccess;
}
int nvmlShutdown() { return begun ? kSuccess : kInvalidArgument; }
int nvmlSystemGetDriverVersion(char* text, unsigned length) { return Fill("570.86", text, length); }
int nvmlDeviceGetCount_v2(unsigned* count) {
  *count = 2;
  return begun ? kSuccess : kInvalidArgument;
}
int nvmlDeviceGetHandleByIndex_v2(unsigned index, FakeDevice** device) {
  *device = index == 0 ? &whole : &parent;
  return kSuccess;
}
int nvmlDeviceGetName(FakeDevice* device, char* text, unsigned length) {
  return Fill(device->name, text, length);
}
int nvmlDeviceGetUUID(FakeDevice* device, char* text, unsigned length) {
  return Fill(device->uuid, text, length);
}
int nvmlDeviceGetComputeMode(FakeDevice*, unsigned* mode) {
  *mode = 3;
  return kSuccess;
}
int nvmlDeviceGetPowerManagementLimit(FakeDevice*, unsigned* milliwatts) {
  *milliwatts = 700'000;
  return kSuccess;
}
int nvmlDeviceGetMemoryInfo(FakeDevice* device, Memory* memory) {
  *memory = {device->memory, device->memory, 0};
  return kSuccess;
}
int nvmlDeviceGetClockInfo(FakeDevice*, int type, unsigned* megahertz) {
  *megahertz = 345;
  return type == 1 ? kSuccess : kNotFound;
}
int nvmlDeviceGetMaxClockInfo(FakeDevice*, int type, unsigned* megahertz) {
  *megahertz = type == 1 ? 1980 : 3201;
  return kSuccess;
}
int nvmlDeviceGetMigMode(FakeDevice* device, unsigned* current, unsigned* pending) {
  *current = *pending = device->sliced ? 1 : 0;
  return kSuccess;
}
int nvmlDeviceGetMaxMigDeviceCount(FakeDevice*, unsigned* count) {
  *count = 7;
  return kSuccess;
}
int nvmlDeviceGetMigDeviceHandleByIndex(FakeDevice*, unsigned index, FakeDevice** slice) {
  if (index != 0 && index != 3) return kNotFound;
  *slice = &slices[index == 0 ? 0 : 1];
  return kSuccess;
}

}  // extern "C"
