"""What explains a failure: the operator's log, the runs, events and pods, at the moment it happened."""
import kube

FOLDER = kube.ROOT / "out" / "e2e"
COMMANDS = {
    "pods": "kubectl get pods --all-namespaces -o wide",
    "runs": "kubectl get benchmarkruns --all-namespaces -o wide",
    "objects": "kubectl get jobs,configmaps,persistentvolumeclaims --all-namespaces",
    "operator's log": f"kubectl logs --namespace {kube.SYSTEM} deployment/fairlap --tail=200",
    "log of the operator before it": f"kubectl logs --namespace {kube.SYSTEM} deployment/fairlap --previous --tail=100",
    "events": "kubectl get events --all-namespaces --sort-by=.metadata.creationTimestamp",
    "what the operator's pod is": f"kubectl describe pods --namespace {kube.SYSTEM}",
    "runs in full": "kubectl get benchmarkruns --all-namespaces -o yaml",
    "pods in full": "kubectl get pods --all-namespaces --selector app.kubernetes.io/part-of=fairlap -o yaml",
}
SHOWN = ("pods", "runs")


def collect():
    for title, command in COMMANDS.items():
        done = kube.execute(*command.split(), check=False)
        yield title, command, done.stdout + done.stderr


def write(test, stream):
    """Keeps everything in a file, and shows the little that mostly says enough."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    file = FOLDER / f"{test}.txt"
    with file.open("w", encoding="utf-8") as out:
        for title, command, text in collect():
            out.write(f"===== {title}: {command}\n{text}\n")
            if title in SHOWN:
                stream.writeln(f"\n{text.rstrip()}")
    stream.writeln(f"More in {file.relative_to(kube.ROOT)}")
