// What the program asks the system's environment for.
Module.preRun = [].concat(Module.preRun || [], () => {
    for (const name of ['HEADCOUNT_ASSETS', 'HOME', 'XDG_STATE_HOME', 'XDG_DATA_HOME'])
        if (process.env[name]) ENV[name] = process.env[name];
});
// Node does not wait for whoever reads a pipe that is full; a command line does.
const { writeSync } = require('fs');
require('fs').writeSync = (...all) => {
    for (;;) {
        try {
            return writeSync(...all);
        } catch (full) {
            if (full.code !== 'EAGAIN') throw full;
            Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
        }
    }
};
// A thread may say something when the program has ended and its streams are closed.
Module.printErr = (words) => {
    try {
        require('fs').writeSync(2, `${words}\n`);
    } catch (closed) {
        return;
    }
};
