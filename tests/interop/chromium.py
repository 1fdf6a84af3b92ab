"""A headless Chromium, driven over its pipe: no package but Debian's `chromium`."""

import base64
import json
import os
import shutil
import subprocess
import tempfile

NAMES = ["chromium", "chromium-browser", "google-chrome", "chrome"]


def find():
    """The browser, or None."""
    return next((path for path in map(shutil.which, NAMES) if path), None)


class Browser:
    """One window; `with Browser(..) as browser`."""

    def __init__(self, program, width=1400, height=860):
        self.folder = tempfile.mkdtemp(prefix="binfmt-pages-")
        ours, theirs = os.pipe(), os.pipe()
        command = [program, "--headless=new", "--remote-debugging-pipe", "--disable-gpu", "--hide-scrollbars"]
        command += ["--no-first-run", f"--user-data-dir={self.folder}", f"--window-size={width},{height}"]
        if os.geteuid() == 0:
            command.append("--no-sandbox")
        # the browser reads from its descriptor 3 and writes to 4
        shell = ["sh", "-c", 'eval "exec 3<&$0 4>&$1"; shift; exec "$@"', str(ours[0]), str(theirs[1]), *command]
        self.process = subprocess.Popen(shell, pass_fds=(ours[0], theirs[1]), stderr=subprocess.DEVNULL)
        os.close(ours[0])
        os.close(theirs[1])
        self.to, self.back = os.fdopen(ours[1], "wb", 0), os.fdopen(theirs[0], "rb")
        self.number, self.session, self.events, self.buffer = 0, None, [], b""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ["Page", "Runtime", "Network", "Log"]:
            self.call(f"{domain}.enable")
        self.size(width, height)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def read(self):
        while b"\0" not in self.buffer:
            piece = self.back.read1(1 << 16)
            if not piece:
                raise SystemExit("the browser has ended")
            self.buffer += piece
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        self.to.write(json.dumps(message).encode() + b"\0")
        while True:
            answer = self.read()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise SystemExit(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def size(self, width, height, scale=1):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=False)

    def scheme(self, name):
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])

    def open(self, path, place=""):
        self.events.clear()
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=f"file://{path}{place}")
        while self.ask("document.readyState") != "complete" or self.ask("location.href") == "about:blank":
            pass
        self.settle()

    def settle(self):
        """Waits until what was asked for is drawn."""
        self.ask("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done))))")

    def ask(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise SystemExit(f"{expression}: {answer['exceptionDetails']['exception'].get('description')}")
        return answer["result"].get("value")

    def errors(self):
        """What went wrong in the page, and what it asked of others."""
        wrong = [e for e in self.events if e.get("method") == "Runtime.exceptionThrown"]
        wrong += [e for e in self.events if e.get("method") == "Log.entryAdded" and e["params"]["entry"]["level"] == "error"]
        asked = [e["params"]["request"]["url"] for e in self.events if e.get("method") == "Network.requestWillBeSent"]
        return wrong + [url for url in asked if not url.startswith(("file:", "about:", "data:"))]

    def middle(self, selector):
        box = self.ask(f"(() => {{ const e = {selector}; if (!e) return null; const b = e.getBoundingClientRect();"
                       " return [b.left + b.width / 2, b.top + b.height / 2]; })()")
        if box is None:
            raise SystemExit(f"{selector}: not in the page")
        return box

    def mouse(self, selector, kind="mouseMoved", clicks=0):
        x, y = self.middle(selector)
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left" if clicks else "none", clickCount=clicks)

    def hover(self, selector):
        self.mouse(selector)
        self.settle()

    def click(self, selector):
        self.mouse(selector)
        self.mouse(selector, "mousePressed", 1)
        self.mouse(selector, "mouseReleased", 1)
        self.settle()

    def key(self, name, text=None):
        text = text if text is not None else (name if len(name) == 1 else "\r" if name == "Enter" else "")
        down = {"type": "keyDown", "key": name, **({"text": text} if text else {})}
        if name == "Enter":
            down["windowsVirtualKeyCode"] = 13
        self.call("Input.dispatchKeyEvent", **down)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=name)
        self.settle()

    def type(self, text):
        self.call("Input.insertText", text=text)
        self.settle()

    def shot(self, path):
        image = self.call("Page.captureScreenshot", format="png")["data"]
        path.write_bytes(base64.b64decode(image))
