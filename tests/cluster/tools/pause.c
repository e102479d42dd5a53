// The first process of every pod: holds the pod's namespaces and reaps what is orphaned in them.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static void Stop(int number) {
  (void)number;
  _exit(0);
}

static void Reap(int number) {
  (void)number;
  while (waitpid(-1, NULL, WNOHANG) > 0) {
  }
}

int main(void) {
  signal(SIGINT, Stop);
  signal(SIGTERM, Stop);
  signal(SIGCHLD, Reap);
  for (;;) pause();
}
