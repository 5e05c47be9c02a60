// A worksheet as a package for learning platforms: SCORM 1.2 (ADL, "Content Aggregation Model" for the manifest,
// "Run-Time Environment" for what the page of the package says to the platform).
#include <algorithm>
#include <array>
#include <utility>

#include "core/base/markup.hpp"
#include "core/base/text.hpp"
#include "core/base/zip.hpp"
#include "core/handout/handout.hpp"

namespace headcount {
namespace {

constexpr std::string_view manifest_text = R"(<?xml version="1.0" encoding="UTF-8"?>
<manifest identifier="{identifier}" version="1" xmlns="http://www.imsproject.org/xsd/imscp_rootv1p1p2"
    xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_rootv1p2">
  <metadata><schema>ADL SCORM</schema><schemaversion>1.2</schemaversion></metadata>
  <organizations default="headcount">
    <organization identifier="headcount">
      <title>{title}</title>
      <item identifier="sheet" identifierref="page"><title>{title}</title></item>
    </organization>
  </organizations>
  <resources>
    <resource identifier="page" type="webcontent" adlcp:scormtype="sco" href="index.html"><file href="index.html"/></resource>
  </resources>
</manifest>
)";

// The platform's functions are in a window around this one, or in the one that opened it.
constexpr std::string_view page_text = R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{title}</title>
<style>html, body { margin: 0; height: 100%; overflow: hidden } iframe { border: 0; width: 100%; height: 100%; display: block }</style>
</head>
<body>
<iframe src="{address}" title="{title}" data-sheet="{id}" allow="cross-origin-isolated; clipboard-write; fullscreen"></iframe>
<script>
'use strict';
const frame = document.querySelector('iframe'), begun = Date.now(), longest = 4096;

function around(start) {
    try {
        for (let at = start; at; at = at.parent) {
            if (at.API) return at.API;
            if (at.parent === at) return null;
        }
    } catch {
        return null;  // of another host
    }
}
const platform = around(window) || (window.opener && around(window.opener));
const said = (name) => platform ? String(platform.LMSGetValue(name)) : '';
const say = (name, value) => { if (platform) platform.LMSSetValue(name, String(value)); };
const call = (name) => { if (platform) platform[name](''); };

call('LMSInitialize');
const status = said('cmi.core.lesson_status');
if (['', 'not attempted'].includes(status)) say('cmi.core.lesson_status', 'incomplete');
// A sheet that is begun anew, such as on another machine, takes nothing back.
let best = Number(said('cmi.core.score.raw')) || 0, done = ['completed', 'passed'].includes(status);

addEventListener('message', (event) => {
    const sheet = event.source === frame.contentWindow && event.data && event.data.headcount === 1 && event.data.worksheet;
    if (!sheet || sheet.id !== frame.dataset.sheet) return;
    const score = sheet.of > 0 ? Math.round(100 * sheet.right / sheet.of) : 0;
    if (score < best) return;
    best = score;
    say('cmi.core.score.min', 0);
    say('cmi.core.score.max', 100);
    say('cmi.core.score.raw', score);
    if (!done) say('cmi.core.lesson_status', sheet.complete ? 'completed' : 'incomplete');
    done ||= sheet.complete;
    const answers = JSON.stringify(sheet.answers);
    if (Object.keys(sheet.answers).length && answers.length <= longest) say('cmi.suspend_data', answers);
    call('LMSCommit');
});

addEventListener('pagehide', () => {
    const seconds = Math.floor((Date.now() - begun) / 1000), two = (number) => String(number).padStart(2, '0');
    say('cmi.core.session_time', `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`);
    call('LMSFinish');
});
</script>
</body>
</html>
)";

// Of the manifest, where XML takes no spaces.
std::string identifier(std::string_view id) {
    std::string out = "headcount.";
    for (const char letter : id) out += is_letter_or_digit(letter) || letter == '_' ? letter : '-';
    return out;
}

std::string filled(std::string_view text, const Sheet& sheet, std::string_view address) {
    const std::array<std::pair<std::string_view, std::string>, 4> words{{{"{id}", html_text(sheet.id)},
                                                                         {"{identifier}", identifier(sheet.id)},
                                                                         {"{title}", html_text(sheet.title)},
                                                                         {"{address}", html_text(address)}}};
    std::string out;
    while (!text.empty()) {
        const auto* const word =
            std::ranges::find_if(words, [&](const auto& each) { return text.starts_with(each.first); });
        out += word == words.end() ? std::string(1, text.front()) : word->second;
        text.remove_prefix(word == words.end() ? 1 : word->first.size());
    }
    return out;
}

}  // namespace

std::string handout_scorm(const Sheet& sheet, std::string_view address) {
    const std::array<ZipEntry, 2> files{{{"imsmanifest.xml", filled(manifest_text, sheet, address)},
                                         {"index.html", filled(page_text, sheet, address)}}};
    return zip_archive(files);
}

}  // namespace headcount
