#include "cli/terminal.h"

#include <langinfo.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <chrono>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace fairlap::cli {
namespace {

constexpr std::chrono::milliseconds kRedrawInterval{100};
constexpr std::chrono::seconds kPlainInterval{5};

std::string_view EnvironmentText(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

int64_t Width() {
  winsize size{};
  constexpr int64_t kUsual = 80;
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : kUsual;
}

void Write(std::FILE* stream, const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stream);
  std::fflush(stream);
}

}  // namespace

Terminal::Terminal(const base::Clock& clock) : clock_(clock) {
  std::setlocale(LC_CTYPE, "");
  const std::string_view term = EnvironmentText("TERM");
  live_ = ::isatty(STDERR_FILENO) == 1 && !term.empty() && term != "dumb";
  style_.utf8 = std::string_view(::nl_langinfo(CODESET)) == "UTF-8";
  style_.color = live_ && EnvironmentText("NO_COLOR").empty();
}

Terminal::~Terminal() { Clear(); }

void Terminal::ShowProgress(const ProgressView& view) {
  const base::SteadyTime now = clock_.Now();
  const auto interval = live_ ? kRedrawInterval : kPlainInterval;
  if (last_shown_ && now - *last_shown_ < interval) return;
  last_shown_ = now;
  if (!live_) return Write(stderr, RenderPlainProgress(view) + "\n");
  // The last column stays free: a character there makes some terminals wrap.
  style_.width = Width() - 1;
  std::string text = drawn_lines_ > 1 ? "\r\x1b[" + std::to_string(drawn_lines_ - 1) + "A" : "\r";
  const std::vector<std::string> lines = RenderProgress(view, style_);
  for (size_t i = 0; i < lines.size(); ++i) text += (i > 0 ? "\n" : "") + lines[i] + "\x1b[K";
  drawn_lines_ = lines.size();
  Write(stderr, text);
}

void Terminal::Clear() {
  if (drawn_lines_ == 0) return;
  std::string text = "\r";
  if (drawn_lines_ > 1) text += "\x1b[" + std::to_string(drawn_lines_ - 1) + "A";
  drawn_lines_ = 0;
  last_shown_.reset();
  Write(stderr, text + "\x1b[J");
}

void Terminal::Print(const std::string& line) {
  Clear();
  Write(stdout, line + "\n");
}

void Terminal::PrintError(const std::string& line) {
  Clear();
  Write(stderr, line + "\n");
}

}  // namespace fairlap::cli
