#include "tests/unit/operator/kube/fake_transport.h"

namespace fairlap::kube {

base::Result<HttpResponse> FakeTransport::Send(const HttpRequest& request, std::stop_token stop) {
  const auto step = Next(request, std::move(stop));
  if (!step) return tl::unexpected(step.error());
  if (step->error) return tl::unexpected(*step->error);
  return HttpResponse{step->status, step->body, step->retry_after};
}

base::Result<HttpResponse> FakeTransport::Stream(
    const StreamRequest& request, const std::function<bool(std::string_view)>& on_data,
    std::stop_token stop) {
  HttpRequest seen;
  seen.path = request.path;
  const auto step = Next(seen, std::move(stop));
  if (!step) return tl::unexpected(step.error());
  HttpResponse response{step->status, "", step->retry_after, step->ended_by};
  if (step->status != 200) {
    response.body = step->body;
    return response;
  }
  std::string_view rest = step->body;
  while (!rest.empty()) {
    const std::string_view piece = rest.substr(0, step->piece_bytes);
    rest.remove_prefix(piece.size());
    if (on_data(piece)) continue;
    response.ended_by = StreamEnd::kReader;
    return response;
  }
  if (step->error) return tl::unexpected(*step->error);
  return response;
}

void FakeTransport::WaitUntilPlayed() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return hanging_ > 0; });
}

std::vector<HttpRequest> FakeTransport::requests() {
  const std::lock_guard lock(mutex_);
  return requests_;
}

base::Result<Step> FakeTransport::Next(const HttpRequest& request, std::stop_token stop) {
  std::unique_lock lock(mutex_);
  requests_.push_back(request);
  if (!steps_.empty()) {
    Step step = std::move(steps_.front());
    steps_.pop_front();
    return step;
  }
  ++hanging_;
  changed_.notify_all();
  changed_.wait(lock, std::move(stop), [] { return false; });
  return base::MakeError(base::ErrorKind::kInterrupted, "stopped");
}

}  // namespace fairlap::kube
