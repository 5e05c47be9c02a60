// What was saved is read from the browser's database before the program begins, and written back when it changes. A
// private window may have no database: then nothing is kept.
if (typeof window !== 'undefined')
    Module.preRun = [].concat(Module.preRun || [], () => {
        const folder = '/home/web_user/.local/state';
        FS.mkdirTree(folder);
        try {
            if (!indexedDB) return Module.restored(false);
        } catch {  // it may not be asked for at all
            return Module.restored(false);
        }
        FS.mount(IDBFS, {autoPersist: true}, folder);
        addRunDependency('saved');
        FS.syncfs(true, () => {
            Module.restored(FS.analyzePath(`${folder}/headcount/document.json`).exists);
            removeRunDependency('saved');
        });
    });
