// The page around the program: what it is started with, and what a browser has in place of a desktop. app/shell's
// platform_page.cpp calls what is set in Module here, and fetches what is left there.
'use strict';

const canvas = document.getElementById('canvas');
const said = document.getElementById('said'), typed = document.getElementById('typed');
const reportFile = '/tmp/report.json';  // what --report-ui writes
const begun = performance.now();

// Threads share memory only on a page that is isolated. Where the server does not say so, isolate.js says it in its
// stead, and keeps the page for when there is no network.
async function isolated() {
    if (!navigator.serviceWorker) return crossOriginIsolated;
    const worker = navigator.serviceWorker.register('isolate.js').then(() => navigator.serviceWorker.ready);
    if (crossOriginIsolated) {
        worker.catch(() => {});  // then there is no page without a network
        sessionStorage.removeItem('isolating');
        return true;
    }
    await worker;
    if (sessionStorage.getItem('isolating')) return false;
    sessionStorage.setItem('isolating', '1');
    location.reload();
    return new Promise(() => {});
}

function fail(words) {
    document.getElementById('wait').hidden = true;
    const failed = document.getElementById('failed');
    failed.hidden = false;
    failed.textContent = words;
}

// Threads need more than a page within another may be allowed: by itself it has them.
function offerItsOwnWindow() {
    const link = document.createElement('a');
    link.href = location.href;
    link.target = '_blank';
    link.textContent = 'Open Headcount in a window of its own';
    document.getElementById('failed').append('\n\n', link);
}

async function fetched(name) {
    const response = await fetch(name);
    if (!response.ok) throw new Error(`${name}: ${response.status} ${response.statusText}`);
    return response;
}

// From pieces of what pack.py packed to pieces of what that was, by the functions of unpack.c. Of what is thrown here a
// browser says only that something was not fetched, so it is kept.
let damage;
function unpacking(name, unpacker) {
    const bytes = (place, count) => new Uint8Array(unpacker.memory.buffer, place, count);
    const damaged = (how) => damage ??= new Error(`${name}: ${how}`);
    return new TransformStream({
        transform(piece, out) {
            for (let at = 0; at < piece.length; at += unpacker.room()) {
                const part = piece.subarray(at, at + unpacker.room());
                bytes(unpacker.packed_place(), part.length).set(part);
                unpacker.take(part.length);
                for (let made; (made = unpacker.unpack()) !== 0;) {
                    if (made < 0) throw damaged('damaged on its way');
                    out.enqueue(bytes(unpacker.unpacked_place(), made).slice());
                }
            }
        },
        flush() {
            if (!unpacker.is_whole()) throw damaged('only a part of it came');
        },
    });
}

// A file of the page as it was before pack.py.
async function unpacked(name, unpacker) {
    const [response, {exports}] = await Promise.all([fetched(`${name}.packed`), unpacker.then(WebAssembly.instantiate)]);
    exports._initialize();
    return new Response(response.body.pipeThrough(unpacking(`${name}.packed`, exports)),
        {headers: {'Content-Type': 'application/wasm'}});
}

// The link that this page was opened by, as `headcount LINK` has it; `?argument=` is for tests.
function programArguments() {
    const given = new URLSearchParams(location.search).getAll('argument');
    const link = location.hash.length > 1 ? [location.href] : [];
    return [...given, ...link, '--report-ui', reportFile];
}

const complaints = [];
let turns = 0, dropped = 0;

var Module = {
    canvas,
    arguments: programArguments(),
    print: (line) => console.log(line),
    printErr: (line) => { complaints.push(line); console.error(line); },
    // The program has ended where it left nothing that goes on.
    postRun: () => setTimeout(() => { if (turns === 0 && complaints.length) fail(complaints.join('\n')); }, 1500),
    onAbort: (what) => fail(`Headcount has stopped: ${what}. Reload the page to go on with what was saved.`),
    // At a first start there is a word of welcome, where nothing else was asked for.
    restored: (anything) => {
        if (Module.lesson) putLesson(Module.lesson);
        if (!anything && Module.arguments[0] === '--report-ui') Module.arguments.unshift('--welcome');
    },
    files: [],
    pasted: '',
    turned: () => {
        if (turns++ === 0) {
            Module.firstFrame = performance.now() - begun;
            document.getElementById('wait').hidden = document.getElementById('failed').hidden = true;
            fit();
            if (parent === window) canvas.focus();  // a page around this one would scroll here
            setInterval(describe, 500);
        }
    },
    copy: (text) => {
        Module.pasted = text;
        if (navigator.clipboard) navigator.clipboard.writeText(text).catch(() => { Module.notCopied = text; });
    },
    handOut: (path) => {
        const link = document.createElement('a');
        link.href = URL.createObjectURL(new Blob([Module.FS.readFile(path)]));
        link.download = path.slice(path.lastIndexOf('/') + 1);
        link.click();
        setTimeout(() => URL.revokeObjectURL(link.href), 60000);
    },
    types: (wanted, x, y, height) => {
        if (!wanted && document.activeElement === typed) canvas.focus();
        typed.hidden = !wanted;
        if (!wanted) return;
        for (const [name, value] of Object.entries({left: x, top: y, height: 1.2 * height, fontSize: height}))
            typed.style[name] = `${value / devicePixelRatio}px`;
        if (document.activeElement === canvas || parent === window) typed.focus({preventScroll: true});
    },
    pickFile: (task) => {
        const input = document.createElement('input');
        input.type = 'file';
        input.multiple = true;
        input.addEventListener('change', () => take(input.files, task));
        Module.picker = input;
        input.click();
    },
};

function fit() {
    Module.setCanvasSize(innerWidth, innerHeight);
}
addEventListener('resize', () => { if (turns) fit(); });

// Another link in the same window.
addEventListener('hashchange', () => location.reload());

// Files are copied into the page's memory, those that came together into one folder. A configuration is called after
// its file, or after its folder where that is config.json. `task` is the program's FileTask; 0 opens a model.
async function take(files, task) {
    const list = [...files];
    if (list.length === 0) return;
    const name = list[0].name.replace(/\.[^.]*$/, '') || 'file';
    const folder = `/files/${++dropped}/${name}`;
    Module.FS.mkdirTree(folder);
    const paths = [];
    for (const file of list) {
        const path = `${folder}/${file.name}`;
        Module.FS.writeFile(path, new Uint8Array(await file.arrayBuffer()));
        paths.push(path);
    }
    Module.files.push({paths, task});
}
addEventListener('dragover', (event) => { event.preventDefault(); event.stopPropagation(); }, true);
addEventListener('drop', (event) => {
    event.preventDefault();
    event.stopPropagation();
    take(event.dataTransfer.files, 0);
}, true);

// Before the program hears of Ctrl+V, which comes with the next frame.
addEventListener('paste', (event) => {
    Module.pasted = event.clipboardData.getData('text/plain');
    event.preventDefault();
});

// WebKit lets a page copy only while it hears of a key or a press, and the program copies with the next frame: it is
// heard of once more when that is let go of.
for (const kind of ['keyup', 'pointerup'])
    addEventListener(kind, () => {
        if (Module.notCopied === undefined) return;
        navigator.clipboard.writeText(Module.notCopied).catch(() => {});
        delete Module.notCopied;
    }, true);

// Text is written into a field of the browser's own, where the program's caret is: so whatever composes characters does
// it here too, dead keys, Chinese, the keyboard on a phone's screen. What is ready the program hears as if it were keys.
// The field holds one letter that nobody sees, so that there is something to rub out.
const unseen = '\u200b';
function takeTyped() {
    if (typed.classList.contains('composes')) return;
    if (!typed.value.includes(unseen))
        for (const kind of ['keydown', 'keyup']) canvas.dispatchEvent(new KeyboardEvent(kind, {keyCode: 8, bubbles: true}));
    for (const letter of typed.value)
        if (letter >= ' ' && letter !== unseen)
            canvas.dispatchEvent(new KeyboardEvent('keypress', {charCode: letter.codePointAt(0), bubbles: true}));
    typed.value = unseen;
}
typed.value = unseen;
typed.addEventListener('input', takeTyped);
typed.addEventListener('compositionstart', () => typed.classList.add('composes'));
typed.addEventListener('compositionend', () => {
    typed.classList.remove('composes');
    setTimeout(takeTyped);  // some browsers put the text there after this
});
addEventListener('keypress', (event) => { if (event.target === typed) event.stopImmediatePropagation(); }, true);

// Tab goes from control to control in the program, and round; after Escape it leaves, as whoever has no pointer needs.
const tabKey = 9;  // WebKit on Linux has no name for Shift and Tab
let leaves = false;

// What the program has a key for, the browser does not take. Ctrl+T, Ctrl+N and Ctrl+W no page can have. Keys that write
// a character stay: the character would go with them.
addEventListener('keydown', (event) => {
    const composes = event.isComposing || event.keyCode === 229, tabs = event.keyCode === tabKey, out = leaves && tabs;
    leaves = event.key === 'Escape' || (leaves && (tabs || event.key === 'Shift'));
    if (composes || out) return event.stopImmediatePropagation();
    const held = event.ctrlKey || event.metaKey;
    if (tabs || (held && 'klosyz=+-0123456789'.includes(event.key.toLowerCase())) || ['F1', 'F2', 'F5'].includes(event.key))
        event.preventDefault();
}, true);
canvas.addEventListener('contextmenu', (event) => event.preventDefault());
canvas.addEventListener('pointerdown', () => (typed.hidden ? canvas : typed).focus());
canvas.addEventListener('mousedown', (event) => { if (!typed.hidden) event.preventDefault(); });
canvas.addEventListener('focus', () => { leaves = false; });
// An iPhone's keyboard comes only while a finger is heard of: with the second touch of a field.
canvas.addEventListener('touchend', () => { if (!typed.hidden) typed.focus({preventScroll: true}); });
addEventListener('wheel', (event) => event.preventDefault(), {passive: false});

// A button that is let go of outside of the canvas was let go of.
addEventListener('mouseup', (event) => {
    if (event.target !== canvas) canvas.dispatchEvent(new MouseEvent('mouseup', event));
});

// One finger is the pointer, which Emscripten's GLFW sees to. Two are the wheel: spread for nearer, moved together for
// down. The first of them lets go of what it held.
let pinch = null;
function between(touches) {
    const [a, b] = touches;
    return {x: (a.clientX + b.clientX) / 2, y: (a.clientY + b.clientY) / 2,
            apart: Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY)};
}
function touched(event) {
    if (event.touches.length < 2 && !pinch) {
        if (event.type === 'touchstart') {  // the pointer is there before it is pressed
            const {clientX, clientY} = event.touches[0];
            canvas.dispatchEvent(new MouseEvent('mousemove', {clientX, clientY, bubbles: true}));
        }
        return;
    }
    if (event.touches.length < 2) {  // GLFW hears of it too, and forgets the first
        if (event.touches.length === 0) pinch = null;
        return;
    }
    event.preventDefault();
    event.stopImmediatePropagation();
    const now = between(event.touches), at = {clientX: now.x, clientY: now.y, bubbles: true};
    if (!pinch) {
        canvas.dispatchEvent(new MouseEvent('mouseup', {...at, button: 0}));
        canvas.dispatchEvent(new MouseEvent('mousemove', at));
        pinch = {...now, spreads: null};
        return;
    }
    const spread = now.apart - pinch.apart, moved = now.y - pinch.y;
    if (pinch.spreads === null && Math.max(Math.abs(spread), Math.abs(moved)) > 10)
        pinch.spreads = Math.abs(spread) >= Math.abs(moved);
    if (pinch.spreads === null) return;
    const steps = Math.trunc((pinch.spreads ? spread : moved) / 20);
    if (steps === 0) return;
    for (let i = 0; i < Math.abs(steps); ++i)
        canvas.dispatchEvent(new WheelEvent('wheel', {...at, deltaY: -100 * Math.sign(steps), cancelable: true}));
    pinch = {...now, spreads: pinch.spreads};
}
for (const kind of ['touchstart', 'touchmove', 'touchend', 'touchcancel'])
    addEventListener(kind, touched, {capture: true, passive: false});

// What is drawn is lost with the graphics; what was saved is not.
canvas.addEventListener('webglcontextlost', (event) => {
    event.preventDefault();
    fail('The browser has taken the graphics away. Headcount goes on when they are back.');
});
canvas.addEventListener('webglcontextrestored', () => location.reload());

// What a screen reader says of the picture: the model, its parameters, the view, what is selected, and what the program
// tells.
let described = '', told = '';
function describe() {
    let report;
    try {
        report = JSON.parse(Module.FS.readFile(reportFile, {encoding: 'utf8'}));
    } catch {
        return;  // not written yet
    }
    if (!report.chrome && parent !== window) tell(report);
    const words = [`${report.name}, ${report.total.toLocaleString('en')} parameters`, `${report.workspace} view`];
    if (report.selection) words.push(`selected: ${report.selection}`);
    words.push(...report.messages, ...report.errors.map((error) => error.message));
    const text = words.join('. ');
    if (text !== described) said.textContent = described = text;
}

// What a page around this one hears, once it has changed; docs/web.md lists it.
function tell(report) {
    const {name, total, workspace, selection, link, worksheet} = report;
    const sheet = workspace === 'worksheet' && worksheet && worksheet.sheet && {
        id: worksheet.id, seed: worksheet.seed, question: worksheet.question, questions: worksheet.of_questions,
        ...worksheet.sheet, answers: worksheet.answers,
    };
    const state = {headcount: 1, link, model: name, total, view: workspace, selection, worksheet: sheet || null};
    const text = JSON.stringify(state);
    if (text === told) return;
    told = text;
    parent.postMessage(state, '*');
}

// What a link names by its address below the page's. The program finds it in its folder of them, and says what is wrong
// where it does not.
async function fetchLesson() {
    const name = new URLSearchParams(location.hash.slice(1)).get('lesson') || '';
    const here = new URL('.', location.href).href;
    const {href} = new URL(name.split('/').map(encodeURIComponent).join('/'), here);
    if (!name || !href.startsWith(here)) return;
    const response = await fetch(href);
    const gone = response.status === 404;
    if (!response.ok && !gone) return;
    const path = `/home/web_user/.local/state/lessons/${decodeURIComponent(href.slice(here.length))}`;
    Module.lesson = {path, bytes: gone ? null : new Uint8Array(await response.arrayBuffer())};
}

// In place of the copy of an earlier visit; null: it is no longer there. A folder, or what lies in a file, is no lesson:
// the program says so.
function putLesson({path, bytes}) {
    try {
        if (!bytes) {
            if (Module.FS.analyzePath(path).exists) Module.FS.unlink(path);
            return;
        }
        Module.FS.mkdirTree(path.replace(/\/[^/]*$/, ''));
        Module.FS.writeFile(path, bytes);
    } catch (wrong) {
        console.error(wrong);
    }
}

function notLoaded(error) {
    fail(`Headcount could not be loaded: ${(damage ?? error).message}. Reload the page.`);
}

// As much as the program may ever take: WebKit refuses to promise what others do, above all on telephones.
function memory() {
    const page = 65536, initial = 2 ** 27 / page;
    for (let most = 2 ** 32 / page; ; most /= 2)
        try {
            return new WebAssembly.Memory({initial, maximum: most, shared: true});
        } catch (refused) {
            if (most === initial) throw refused;
        }
}

// The program is compiled while its files are on their way.
async function begin() {
    Module.wasmMemory = memory();
    const unpacker = fetched('unpack.wasm').then((response) => response.arrayBuffer()).then(WebAssembly.compile);
    const module = unpacked('headcount.wasm', unpacker).then((response) => WebAssembly.compileStreaming(response));
    const files = await (await unpacked('headcount.data', unpacker)).arrayBuffer();
    Module.getPreloadedPackage = () => files;
    Module.instantiateWasm = (imports, done) => {
        module.then((compiled) => WebAssembly.instantiate(compiled, imports)
            .then((instance) => done(instance, compiled), notLoaded), notLoaded);
        return {};
    };
    await fetchLesson().catch(() => {});  // of an earlier visit there may be a copy
    const script = document.createElement('script');
    script.src = 'headcount.js';
    script.onerror = () => fail('headcount.js could not be loaded: reload the page.');
    document.body.append(script);
}

// A browser may refuse workers, or a place to remember that it was tried.
isolated().catch(() => crossOriginIsolated).then((fine) => {
    if (!fine) {
        fail('Headcount needs a page that is isolated, for its threads: open it over https or from localhost, in a ' +
            'window that allows service workers.');
        if (parent !== window) offerItsOwnWindow();
        return;
    }
    begin().catch(notLoaded);
});
