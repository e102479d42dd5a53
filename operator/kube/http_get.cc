#include "operator/kube/http_get.h"

#include <cpprest/http_client.h>
#include <pplx/threadpool.h>

#include <condition_variable>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

namespace fairlap::kube {
namespace {

using base::ErrorKind;
using web::http::client::http_client;
using web::http::client::http_client_config;

constexpr size_t kThreads = 2;

// cpprestsdk would start 40.
void StartThreads() {
  static std::once_flag once;
  std::call_once(once, [] { crossplat::threadpool::initialize_with_threads(kThreads); });
}

// Cancels the exchange when its time is up; ends with the exchange.
std::jthread CancelAfter(std::chrono::milliseconds deadline,
                         const pplx::cancellation_token_source& source) {
  return std::jthread([deadline, source](const std::stop_token& finished) {
    std::mutex mutex;
    std::condition_variable_any never;
    std::unique_lock lock(mutex);
    never.wait_for(lock, finished, deadline, [] { return false; });
    if (!finished.stop_requested()) source.cancel();
  });
}

base::Result<std::string> Exchange(const std::string& url, const HttpGetOptions& options,
                                   const pplx::cancellation_token_source& source) {
  http_client_config config;
  config.set_max_redirects(0);
  config.set_timeout(options.deadline);
  http_client client(url, config);
  auto response = client.request(web::http::methods::GET, source.get_token()).get();
  if (response.status_code() != web::http::status_codes::OK) {
    source.cancel();
    return base::MakeError(ErrorKind::kIo,
                           url + ": answered " + std::to_string(response.status_code()));
  }
  const auto max_bytes = static_cast<size_t>(options.max_bytes);
  // One byte more than allowed tells a body that is too large from one that just fits. One that
  // says so itself is not waited for.
  std::vector<uint8_t> body(max_bytes + 1);
  size_t size = body.size();
  if (response.headers().content_length() <= max_bytes) {
    size = response.body().streambuf().getn(body.data(), body.size()).get();
  }
  if (size < body.size())
    return std::string(body.begin(), body.begin() + static_cast<int64_t>(size));
  source.cancel();
  return base::MakeError(ErrorKind::kIo, url + ": the answer is larger than the " +
                                             std::to_string(options.max_bytes) +
                                             " bytes allowed here");
}

}  // namespace

base::Result<std::string> HttpGet(const std::string& url, const HttpGetOptions& options,
                                  std::stop_token stop) {
  StartThreads();
  const pplx::cancellation_token_source source;
  const std::stop_callback on_stop(stop, [&source] { source.cancel(); });
  const std::jthread watchdog = CancelAfter(options.deadline, source);
  try {
    auto answer = Exchange(url, options, source);
    if (!answer || !source.get_token().is_canceled()) return answer;
  } catch (const web::uri_exception& error) {
    return base::MakeError(ErrorKind::kInvalidInput, url + ": " + error.what());
  } catch (const std::invalid_argument& error) {  // a scheme other than http
    return base::MakeError(ErrorKind::kInvalidInput, url + ": " + error.what());
  } catch (const std::exception& error) {
    if (!source.get_token().is_canceled()) {
      return base::MakeError(ErrorKind::kIo, url + ": " + error.what());
    }
  }
  if (stop.stop_requested()) return base::MakeError(ErrorKind::kInterrupted, url + ": stopped");
  return base::MakeError(ErrorKind::kIo, url + ": no answer within " +
                                             std::to_string(options.deadline.count()) + " ms");
}

}  // namespace fairlap::kube
