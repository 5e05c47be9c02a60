// What the program asks the system's environment for.
Module.preRun = [].concat(Module.preRun || [], () => {
    for (const name of ['HEADCOUNT_ASSETS', 'HOME', 'XDG_STATE_HOME', 'XDG_DATA_HOME'])
        if (process.env[name]) ENV[name] = process.env[name];
});
