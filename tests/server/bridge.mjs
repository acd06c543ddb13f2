// Puts a server that speaks over standard input and output behind HTTP, a message a POST: what the
// official conformance suite talks to.  Only for tests, and only from this machine.
//
//     node bridge.mjs SERVER     prints its URL as the first line

import { spawn } from 'node:child_process';
import http from 'node:http';
import readline from 'node:readline';

const child = spawn(process.argv[2], [], { stdio: ['pipe', 'pipe', 'inherit'] });
const waiting = new Map();
readline.createInterface({ input: child.stdout }).on('line', (line) => {
  const id = JSON.stringify(JSON.parse(line).id);
  waiting.get(id)?.(line);
  waiting.delete(id);
});

// A page of another site must not be able to talk to what listens here.
const isLocal = (name) => /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(name);

function isForeign(request) {
  const { host, origin } = request.headers;
  return !isLocal(host ?? '') || (origin !== undefined && !isLocal(origin.replace(/^https?:\/\//, '')));
}

const server = http.createServer(async (request, response) => {
  if (isForeign(request)) return response.writeHead(403).end();
  if (request.method !== 'POST') return response.writeHead(405).end();
  let body = '';
  for await (const chunk of request) body += chunk;
  const message = JSON.parse(body);
  if (message.id === undefined) {
    child.stdin.write(`${JSON.stringify(message)}\n`);
    return response.writeHead(202).end();
  }
  const answer = new Promise((resolve) => { waiting.set(JSON.stringify(message.id), resolve); });
  child.stdin.write(`${JSON.stringify(message)}\n`);
  return response.writeHead(200, { 'Content-Type': 'application/json' }).end(await answer);
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/mcp`));
