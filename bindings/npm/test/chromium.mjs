/* chromium.mjs: headless Chromium through the pipe of its debugging protocol.  $CHROMIUM names the browser. */
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

export const program = [process.env.CHROMIUM, 'chromium', 'chromium-browser', 'google-chrome'].find((name) => name !== undefined && spawnSync(name, ['--version']).status === 0);

/** Starts the browser. */
export function start() {
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'cupel-browser-'));
  const options = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--window-size=1400,1400', `--user-data-dir=${profile}`, '--remote-debugging-pipe', 'about:blank'];
  const child = spawn(program, options, { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
  const [, , , input, output] = child.stdio;
  const waiting = new Map();
  let last = 0, rest = '';
  output.setEncoding('utf8').on('data', (text) => {
    const parts = (rest + text).split('\0');
    rest = parts.pop();
    for (const { id, result, error } of parts.map((part) => JSON.parse(part))) {
      const done = waiting.get(id);
      waiting.delete(id);
      if (error !== undefined) done?.reject(new Error(error.message));
      else done?.resolve(result);
    }
  });
  const send = (method, params = {}, sessionId = undefined) =>
    new Promise((resolve, reject) => {
      waiting.set(++last, { resolve, reject });
      input.write(`${JSON.stringify({ id: last, method, params, sessionId })}\0`);
    });
  const end = async () => {
    const gone = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGKILL');
    await gone;
    fs.rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  return { send, end };
}

/** Opens a page in a tab of its own. */
export async function open(browser, url) {
  const { targetId } = await browser.send('Target.createTarget', { url });
  const { sessionId } = await browser.send('Target.attachToTarget', { targetId, flatten: true });
  const page = {
    send: (method, params) => browser.send(method, params, sessionId),
    /** The value of an expression in the page. */
    async get(expression) {
      const { result, exceptionDetails } = await page.send('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true });
      if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
      return result.value;
    },
    /** Waits until an expression is true; false after half a minute. */
    async until(expression) {
      for (let i = 0; i < 300; i++) {
        if ((await page.get(expression).catch(() => false)) === true) return true;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      return false;
    },
    close: () => browser.send('Target.closeTarget', { targetId }),
  };
  return page;
}
