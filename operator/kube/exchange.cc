#include "operator/kube/exchange.h"

#include <cpprest/http_client.h>
#include <openssl/err.h>
#include <pplx/threadpool.h>

#include <algorithm>
#include <charconv>
#include <exception>
#include <memory>
#include <mutex>
#include <stdexcept>

#include "operator/kube/inbox.h"

namespace fairlap::kube {
namespace {

using base::ErrorKind;
using base::MakeError;
using std::chrono::milliseconds;
using std::chrono::steady_clock;
using web::http::http_request;
using web::http::http_response;
using web::http::client::http_client;
using web::http::client::http_client_config;

// cpprestsdk would start 40, and lets two of them work on one connection at a time. One is the
// strand that it lacks, and is enough: nothing of ours waits in it.
constexpr size_t kThreads = 1;
// Our own clock decides; cpprestsdk's, which every byte winds up again, only cleans up behind us.
constexpr milliseconds kMargin{2'000};

void StartThreads() {
  static std::once_flag once;
  std::call_once(once, [] { crossplat::threadpool::initialize_with_threads(kThreads); });
}

http_client_config MakeConfig(const ExchangeRequest& request, bool host_is_address) {
  http_client_config config;
  config.set_max_redirects(0);  // it would send our credentials along
  config.set_timeout(std::min(request.deadline, request.idle_timeout) + kMargin);
  config.set_tlsext_sni_enabled(!host_is_address);
  if (request.prepare_tls) {
    config.set_ssl_context_callback(
        [prepare = request.prepare_tls](boost::asio::ssl::context& context) {
          prepare(context.native_handle());
        });
  }
  return config;
}

// OpenSSL's errors come as numbers that cpprestsdk takes for those of the system.
std::string Describe(const std::exception& error) {
  std::string text = error.what();
  const auto* http_error = dynamic_cast<const web::http::http_exception*>(&error);
  if (http_error == nullptr) return text;
  const int code = http_error->error_code().value();
  constexpr int kSystemErrors = 4096;
  if (code > 0 && code < kSystemErrors) return text + ": " + http_error->error_code().message();
  const char* reason = ERR_reason_error_string(static_cast<unsigned int>(code));
  return reason == nullptr ? text : text + ": " + reason;
}

std::optional<int64_t> ReadNumber(const web::http::http_headers& headers, const char* name) {
  const auto found = headers.find(name);
  if (found == headers.end()) return std::nullopt;
  int64_t number = 0;
  const std::string& text = found->second;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 0) return std::nullopt;
  return number;
}

ExchangeHead MakeHead(const http_response& response) {
  ExchangeHead head;
  head.status = response.status_code();
  head.content_length = ReadNumber(response.headers(), "Content-Length").value_or(0);
  constexpr int64_t kDay = 86'400;
  if (const auto delay = ReadNumber(response.headers(), "Retry-After")) {
    head.retry_after = std::chrono::seconds(std::min(*delay, kDay));
  }
  return head;
}

void OnBody(Inbox& inbox, const pplx::task<http_response>& body) {
  try {
    body.get();
    inbox.End(std::nullopt);
  } catch (const std::exception& error) {
    inbox.End(Describe(error));
  }
}

void OnHead(const std::shared_ptr<Inbox>& inbox, const pplx::task<http_response>& head) {
  try {
    const http_response response = head.get();
    inbox->PutHead(MakeHead(response));
    response.content_ready().then(
        [inbox](const pplx::task<http_response>& body) { OnBody(*inbox, body); });
  } catch (const std::exception& error) {
    inbox->End(Describe(error));
  }
}

http_request MakeMessage(const ExchangeRequest& request, const web::uri& url,
                         const std::shared_ptr<Inbox>& inbox) {
  http_request message(request.method);
  message.set_request_uri(url.resource());
  for (const auto& [name, value] : request.headers) message.headers().add(name, value);
  if (!request.body.empty()) message.set_body(request.body, request.content_type);
  message.set_response_stream(MakeBodyBuffer(inbox).create_ostream());
  return message;
}

bool IsAddress(const std::string& host) {
  return host.find_first_not_of("0123456789.") == std::string::npos;
}

base::Status Start(const ExchangeRequest& request, const std::shared_ptr<Inbox>& inbox,
                   const pplx::cancellation_token& token) {
  try {
    const web::uri url(request.url);
    // A client for this request alone: its pool of connections is empty.
    http_client client(url.authority(), MakeConfig(request, IsAddress(url.host())));
    client.request(MakeMessage(request, url, inbox), token)
        .then([inbox](const pplx::task<http_response>& head) { OnHead(inbox, head); });
    return {};
  } catch (const web::uri_exception& error) {
    return MakeError(ErrorKind::kInvalidInput, error.what());
  } catch (const std::invalid_argument& error) {  // a scheme other than http
    return MakeError(ErrorKind::kInvalidInput, error.what());
  } catch (const std::exception& error) {
    return MakeError(ErrorKind::kIo, Describe(error));
  }
}

base::Result<ExchangeEnd> Read(const ExchangeRequest& request, const ExchangeReader& reader,
                               Inbox& inbox, const std::stop_token& stop) {
  auto heard = steady_clock::now();
  const auto deadline = heard + request.deadline;
  while (true) {
    const Inbox::News news = inbox.Wait(std::min(deadline, heard + request.idle_timeout), stop);
    if (stop.stop_requested()) return MakeError(ErrorKind::kInterrupted, "stopped");
    if (news.head && !reader.on_head(*news.head)) return ExchangeEnd::kByReader;
    if (!news.data.empty() && !reader.on_data(news.data)) return ExchangeEnd::kByReader;
    if (news.error) return MakeError(ErrorKind::kIo, *news.error);
    if (news.ended) return ExchangeEnd::kComplete;
    const auto now = steady_clock::now();
    if (now >= deadline) return ExchangeEnd::kByDeadline;
    if (news.any()) {
      heard = now;
    } else if (now >= heard + request.idle_timeout) {
      return ExchangeEnd::kBySilence;
    }
  }
}

}  // namespace

base::Result<ExchangeEnd> Exchange(const ExchangeRequest& request, const ExchangeReader& reader,
                                   std::stop_token stop) {
  if (stop.stop_requested()) return MakeError(ErrorKind::kInterrupted, "stopped");
  StartThreads();
  const auto inbox = std::make_shared<Inbox>();
  const pplx::cancellation_token_source source;
  if (const auto started = Start(request, inbox, source.get_token()); !started) {
    return tl::unexpected(started.error());
  }
  auto end = Read(request, reader, *inbox, stop);
  inbox->Close();
  source.cancel();  // closes the connection, unless the exchange is complete
  return end;
}

}  // namespace fairlap::kube
