// Blocks from what md4c finds.
#include "app/manual/pages.hpp"

#include <md4c.h>

#include <algorithm>

#include "core/base/text.hpp"
#include "embedded_docs.hpp"

namespace headcount {
namespace {

constexpr std::string_view dot = "\xE2\x80\xA2";
constexpr int page_level = 2;  // the headings at which a document is cut

template <class Detail>
const Detail& detail_of(const void* detail) {
    return *static_cast<const Detail*>(detail);
}

// Hears of one document from its beginning to its end.
class Listener {
  public:
    explicit Listener(std::string_view document) : document_(document) {}

    std::vector<ManualBlock> blocks;

    void enter(MD_BLOCKTYPE type, const void* detail) {
        switch (type) {
            case MD_BLOCK_H:
                begin({.kind = ManualKind::heading,
                       .level = static_cast<int>(detail_of<MD_BLOCK_H_DETAIL>(detail).level)});
                break;
            case MD_BLOCK_P:
                // The first paragraph of an item is the item's own.
                if (lists_.empty() || !line_ || !line_->empty())
                    begin({.kind = ManualKind::paragraph, .level = depth()});
                break;
            case MD_BLOCK_UL: lists_.push_back(0); break;
            case MD_BLOCK_OL: lists_.push_back(detail_of<MD_BLOCK_OL_DETAIL>(detail).start); break;
            case MD_BLOCK_LI: begin({.kind = ManualKind::item, .level = depth(), .mark = next_mark()}); break;
            case MD_BLOCK_CODE:
                begin({.kind = ManualKind::listing, .level = depth()});
                line_ = nullptr;
                break;
            case MD_BLOCK_TABLE:
                begin({.kind = ManualKind::table});
                pictured_ = false;
                break;
            case MD_BLOCK_TR: blocks.back().rows.emplace_back(); break;
            case MD_BLOCK_TH:
            case MD_BLOCK_TD: line_ = &blocks.back().rows.back().emplace_back(); break;
            default: break;
        }
    }

    void leave(MD_BLOCKTYPE type) {
        if (type == MD_BLOCK_UL || type == MD_BLOCK_OL) lists_.pop_back();
        if (type == MD_BLOCK_P && !blocks.empty() && blocks.back().kind == ManualKind::paragraph &&
            blocks.back().line.empty())
            drop();  // it held a picture
        if (type == MD_BLOCK_TABLE && pictured_) drop();
    }

    void enter(MD_SPANTYPE type, const void* detail) {
        if (type == MD_SPAN_STRONG || type == MD_SPAN_EM) style_.strong = true;
        if (type == MD_SPAN_CODE) style_.code = true;
        if (type == MD_SPAN_A) {
            const MD_ATTRIBUTE& target = detail_of<MD_SPAN_A_DETAIL>(detail).href;
            style_.link = place_of_link({target.text, target.size});
        }
        if (type == MD_SPAN_IMG) in_picture_ = pictured_ = true;
    }

    void leave(MD_SPANTYPE type) {
        if (type == MD_SPAN_STRONG || type == MD_SPAN_EM) style_.strong = false;
        if (type == MD_SPAN_CODE) style_.code = false;
        if (type == MD_SPAN_A) style_.link.clear();
        if (type == MD_SPAN_IMG) in_picture_ = false;
    }

    void hear(MD_TEXTTYPE type, std::string_view text) {
        if (in_picture_ || blocks.empty()) return;
        if (!line_) {
            blocks.back().listing += text;
            return;
        }
        if (type == MD_TEXT_SOFTBR || type == MD_TEXT_BR) text = " ";
        if (line_->empty() || !line_->back().same_style(style_)) line_->push_back(style_);
        line_->back().text += text;
    }

  private:
    int depth() const { return static_cast<int>(lists_.size()); }

    void begin(ManualBlock block) {
        blocks.push_back(std::move(block));
        line_ = &blocks.back().line;
    }

    void drop() {
        blocks.pop_back();
        line_ = nullptr;
    }

    std::string next_mark() {
        if (lists_.back() == 0) return std::string(dot);
        return std::to_string(lists_.back()++) + ".";
    }

    // What leads out of the manual, but not to the web, leads nowhere.
    std::string place_of_link(std::string_view target) const {
        constexpr std::string_view ending = ".md";
        if (target.starts_with("http")) return std::string(target);
        if (target.starts_with('#')) return document_ + std::string(target);
        const std::size_t end = target.find(ending);
        if (end == std::string_view::npos || target.find('/') < end) return "";
        return std::string(target.substr(0, end)) + std::string(target.substr(end + ending.size()));
    }

    std::string document_;
    ManualLine* line_ = nullptr;   // what is being read goes there; null: into a listing
    std::vector<unsigned> lists_;  // that are open, the outermost first: the next item's number, 0 for dots
    ManualWords style_;            // without a text
    bool in_picture_ = false;
    bool pictured_ = false;  // the table holds one
};

std::vector<ManualBlock> blocks_of(std::string_view document, std::string_view markdown) {
    Listener listener(document);
    MD_PARSER parser{};
    parser.flags = MD_DIALECT_GITHUB;
    parser.enter_block = [](MD_BLOCKTYPE type, void* detail, void* user) {
        static_cast<Listener*>(user)->enter(type, detail);
        return 0;
    };
    parser.leave_block = [](MD_BLOCKTYPE type, void*, void* user) {
        static_cast<Listener*>(user)->leave(type);
        return 0;
    };
    parser.enter_span = [](MD_SPANTYPE type, void* detail, void* user) {
        static_cast<Listener*>(user)->enter(type, detail);
        return 0;
    };
    parser.leave_span = [](MD_SPANTYPE type, void*, void* user) {
        static_cast<Listener*>(user)->leave(type);
        return 0;
    };
    parser.text = [](MD_TEXTTYPE type, const MD_CHAR* text, MD_SIZE size, void* user) {
        static_cast<Listener*>(user)->hear(type, {text, size});
        return 0;
    };
    md_parse(markdown.data(), static_cast<MD_SIZE>(markdown.size()), &parser, &listener);
    return std::move(listener.blocks);
}

std::string words_of(const ManualBlock& block) {
    std::string words = text_of(block.line) + block.listing;
    for (const std::vector<ManualLine>& row : block.rows)
        for (const ManualLine& cell : row) words += text_of(cell) + "\n";
    return words;
}

}  // namespace

std::string text_of(const ManualLine& line) {
    std::string text;
    for (const ManualWords& words : line) text += words.text;
    return text;
}

std::vector<ManualPage> pages_of(std::string_view document, std::string_view markdown) {
    std::vector<ManualPage> pages;
    for (ManualBlock& block : blocks_of(document, markdown)) {
        const bool heads = block.kind == ManualKind::heading && block.level <= page_level;
        if (heads)
            pages.push_back({.document = std::string(document),
                             .heading = text_of(block.line),
                             .first = pages.empty(),
                             .blocks = {}});
        if (pages.empty()) continue;
        pages.back().words += words_of(block) + "\n";
        if (!heads) pages.back().blocks.push_back(std::move(block));
    }
    for (std::size_t i = 1; i < pages.size(); ++i)
        pages.front().blocks.push_back({.kind = ManualKind::item,
                                        .level = 1,
                                        .mark = std::string(dot),
                                        .line = {{.text = pages[i].heading, .link = place_of(pages[i])}}});
    return pages;
}

const std::vector<ManualPage>& manual_pages() {
    static const std::vector<ManualPage> pages = [] {
        std::vector<ManualPage> all;
        for (const EmbeddedDoc& file : embedded_docs()) {
            const std::string text(file.bytes.begin(), file.bytes.end());
            for (ManualPage& page : pages_of(file.name, text)) all.push_back(std::move(page));
        }
        return all;
    }();
    return pages;
}

std::string anchor_of(std::string_view heading) {
    std::string anchor;
    for (const char letter : heading) {
        if (letter == ' ') anchor += '-';
        const bool kept = letter == '-' || letter == '_' || (letter >= '0' && letter <= '9') ||
                          (lower(letter) >= 'a' && lower(letter) <= 'z');
        if (kept) anchor += lower(letter);
    }
    return anchor;
}

std::string place_of(const ManualPage& page) {
    return page.first ? page.document : page.document + "#" + anchor_of(page.heading);
}

const ManualPage* page_with(std::string_view place) {
    const std::size_t cut = std::min(place.find('#'), place.size());
    const std::string_view document = place.substr(0, cut), anchor = place.substr(std::min(cut + 1, place.size()));
    const auto is = [&](const ManualBlock& block) {
        return block.kind == ManualKind::heading && anchor_of(text_of(block.line)) == anchor;
    };
    for (const ManualPage& page : manual_pages()) {
        if (page.document != document) continue;
        const bool here = anchor.empty() ? page.first : anchor_of(page.heading) == anchor;
        if (here || std::ranges::any_of(page.blocks, is)) return &page;
    }
    return nullptr;
}

}  // namespace headcount
