/* fastify-hook.cjs: loaded before Fastify's own tests: every server that they make has cupelBody. */
'use strict';
const Module = require('node:module');
const { cupelBody } = require('cupel/fastify');

const load = Module._load;
let wrapped;
Module._load = function (...args) {
  const loaded = load.apply(this, args);
  if (typeof loaded !== 'function' || typeof loaded.fastify !== 'function' || loaded === wrapped) return loaded;
  wrapped ??= Object.assign((options) => {
    const instance = loaded(options);
    instance.register(cupelBody);
    return instance;
  }, loaded);
  return wrapped;
};
