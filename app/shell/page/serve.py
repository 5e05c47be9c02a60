#!/usr/bin/env python3
"""Serves a folder on this machine alone, with the headers that let a page have threads: serve.py FOLDER PORT."""
import functools
import http.server
import sys


class Isolating(http.server.SimpleHTTPRequestHandler):
    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".wasm": "application/wasm"}

    def end_headers(self):
        self.send_header("Cross-Origin-Opener-Policy", "same-origin")
        self.send_header("Cross-Origin-Embedder-Policy", "require-corp")
        self.send_header("Cross-Origin-Resource-Policy", "cross-origin")
        self.send_header("Document-Isolation-Policy", "isolate-and-require-corp")
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def log_message(self, *_):
        pass


folder, port = sys.argv[1], sys.argv[2]
if not (port.isdecimal() and int(port) < 65536):
    sys.exit(f'headcount: "{port}" is no port: say a number up to 65535, as in `./run --web 8124`')
try:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", int(port)), functools.partial(Isolating, directory=folder))
except OSError as error:
    sys.exit(f"headcount: port {port} cannot be had: {error.strerror}: say another one, as in `./run --web 8124`")
print(f"headcount: http://localhost:{server.server_port}/ (Ctrl+C ends it)", file=sys.stderr, flush=True)
try:
    server.serve_forever()
except KeyboardInterrupt:
    pass
