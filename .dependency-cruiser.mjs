// The allowed directions of imports, for values and types. `npm run check` enforces them (scripts/check-imports.mjs).
//
//   edge ──► domain ──► ports ◄── adapters        all may use contract and concurrency; wiring and main import everything
//   agent-tests ──► agents-as-code ──► sdk        console, acceptance ──► sdk        the sdk imports no other package
//   no other package imports the server

/** Matches code of these workspaces. Imports between packages resolve to compiled files in `dist`. */
const codeOf = (names) => `^([.][.]/)*(apps|packages|qa)/(${names})/(src|dist)/`
const ownCode = codeOf('[a-z-]+')
const [contract, engine, demoModel, embeddedDatabase, relaySocket, sdk, telephone, terminal] = [
  'contract',
  'engine',
  'demo-model',
  'embedded-database',
  'relay-socket',
  'sdk',
  'telephone',
  'terminal',
].map(codeOf)
const agentPackages = codeOf('agents-as-code|agent-tests')
const [ports, concurrency, domain, edge, config] = [
  'ports/',
  'concurrency/',
  'domain/',
  'edge/',
  'config(/|[.])',
].map((part) => `^apps/server/src/${part}`)
const adapter = (name) => `^apps/server/src/adapters/${name}/`

/** Allows files at `from` to import from `from` and `others`, and from no other code of this repository. */
const allow = (name, from, ...others) => ({
  name,
  severity: 'error',
  from: { path: from },
  to: { path: ownCode, pathNot: [from, ...others] },
})

/** Additional packages that these adapters may import. All adapters may import ports and their own technology. */
const adapterUses = {
  // The engine of `parley test` runs tests that the service stores.
  'agent-tests': [agentPackages],
  'chat-models': [adapter('secret-redaction')],
  // G.711.
  'realtime-dialects': [relaySocket, telephone],
  'openai-realtime': [
    ...[adapter('outbound'), adapter('secret-redaction'), adapter('realtime-dialects')],
    relaySocket,
  ],
  'openai-live': [
    ...[adapter('openai-realtime'), adapter('realtime-dialects'), adapter('outbound'), relaySocket],
    telephone,
  ],
  'gemini-live': [
    ...[adapter('openai-realtime'), adapter('realtime-dialects'), adapter('outbound'), relaySocket],
  ],
  // The database adapter uses the system timers and marks errors as logged.
  database: [adapter('system'), embeddedDatabase],
  'embedded-engine': [adapter('openai-realtime'), engine, demoModel, relaySocket],
  'http-tools': [adapter('secret-redaction')],
  'mcp-oauth': [adapter('outbound')],
  'mcp-tools': [adapter('secret-redaction'), adapter('outbound')],
  oidc: [adapter('outbound')],
  opentelemetry: [adapter('system')],
  'operator-door': [embeddedDatabase],
  telephone: [telephone],
}

/** Libraries that the domain and the ports must not import. */
const technologies = [
  'fastify',
  'pg',
  'drizzle-orm',
  'ioredis',
  'undici',
  'ws',
  'pino',
  'prom-client',
  '@opentelemetry',
]

const forbidden = [
  allow('contract-imports-no-package', '^packages/contract/src/'),
  allow('ports-know-the-contract', ports, contract, relaySocket, telephone),
  allow('concurrency-knows-ports', concurrency, ports),
  allow('domain-knows-ports', domain, contract, ports, concurrency, relaySocket, telephone),
  allow(
    'edge-knows-the-domain',
    '^apps/server/src/edge/(?!terminal/)',
    contract,
    ports,
    relaySocket,
    telephone,
    concurrency,
    domain,
    edge,
  ),
  allow(
    'terminal-knows-settings-too',
    '^apps/server/src/edge/terminal/',
    contract,
    terminal,
    ports,
    domain,
    edge,
    config,
  ),
  allow(
    'cli-is-an-edge',
    '^apps/server/src/cli/',
    ...[contract, ports, domain, edge, config, sdk, terminal, agentPackages],
  ),
  allow('config-knows-the-contract', config, contract),
  allow('version-imports-nothing', '^apps/server/src/version[.]'),
  ...Object.entries(adapterUses).map(([name, others]) =>
    allow(`adapter-${name}`, adapter(name), contract, ports, concurrency, ...others),
  ),
  {
    name: 'adapters-know-ports',
    severity: 'error',
    from: { path: '^apps/server/src/adapters/([^/]+)/', pathNot: Object.keys(adapterUses).map(adapter) },
    to: { path: ownCode, pathNot: [contract, ports, concurrency, '^apps/server/src/adapters/$1/'] },
  },
  allow(
    'server-knows-other-packages',
    '^apps/server/src/',
    ...[contract, engine, demoModel, embeddedDatabase, relaySocket, sdk, telephone, terminal, agentPackages],
  ),
  allow('engine-knows-the-demo-model', '^packages/engine/src/', demoModel),
  allow('demo-model-imports-no-package', '^packages/demo-model/src/'),
  allow('telephone-imports-no-package', '^packages/telephone/src/'),
  allow('terminal-imports-no-package', '^packages/terminal/src/'),
  // Both packages are clients of a running service.
  allow('agents-as-code-is-a-client', '^packages/agents-as-code/src/', contract, sdk, terminal),
  allow(
    'agent-tests-are-a-client',
    '^packages/agent-tests/src/',
    ...[contract, sdk, terminal, codeOf('agents-as-code')],
  ),
  allow('relay-socket-imports-no-package', '^packages/relay-socket/src/'),
  allow('embedded-database-imports-no-package', '^packages/embedded-database/src/'),
  allow('talk-is-a-client', '^apps/talk/src/', contract, engine),
  // QA programs start the service as a process. They share qa/stage.
  allow('stage-is-a-client', '^qa/stage/src/', contract),
  ...['bench', 'attack', 'chaos', 'kill', 'soak'].map((name) =>
    allow(
      `${name}-is-a-client`,
      `^qa/${name}/src/`,
      contract,
      engine,
      codeOf('stage|statement-recorder|relay-socket'),
    ),
  ),
  allow('statement-recorder-imports-no-package', '^packages/statement-recorder/src/'),
  // The SDK's types are generated from the contract's documents, so its users install no schemas.
  allow('sdk-imports-no-package', '^packages/sdk/src/'),
  {
    name: 'sdk-imports-no-node-builtins',
    severity: 'error',
    from: { path: '^packages/sdk/src/', pathNot: '-node[.]js$' },
    to: { dependencyTypes: ['core'] },
  },
  allow('console-knows-the-sdk', '^apps/console/src/', sdk),
  // Acceptance tests use a deployment only from outside.
  allow('acceptance-knows-the-sdk', '^qa/acceptance/src/', sdk),
  {
    name: 'no-technology-inside',
    severity: 'error',
    from: { path: [ports, domain] },
    to: { path: `(^|/)node_modules/(${technologies.join('|')})/` },
  },
  // Only this file loads OpenTelemetry, and only if tracing is configured.
  {
    name: 'traces-are-loaded-on-demand',
    severity: 'error',
    from: {
      path: '^apps/server/src/',
      pathNot: [adapter('opentelemetry'), '^apps/server/src/wiring/tracing[.]'],
    },
    to: { path: adapter('opentelemetry') },
  },
  {
    name: 'one-adapter-knows-opentelemetry',
    severity: 'error',
    from: { path: '^apps/server/src/', pathNot: adapter('opentelemetry') },
    to: { path: '(^|/)node_modules/@opentelemetry/' },
  },
  {
    name: 'http-knows-no-sockets',
    severity: 'error',
    from: { path: '^apps/server/src/edge/http/' },
    to: { path: '^apps/server/src/edge/ws/' },
  },
  // Includes `#server/…`, which is only for tests. `#socket` is excepted because each runtime resolves it differently.
  {
    name: 'unresolved-import',
    severity: 'error',
    from: {},
    to: { couldNotResolve: true, pathNot: '^#socket$' },
  },
  // dependency-cruiser reports an optional peer dependency as undeclared too, because it reads `peerDependenciesMeta` as a
  // list of dependencies.
  {
    name: 'undeclared-package',
    severity: 'error',
    from: {},
    to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['npm-peer'] },
  },
  // A file may start a thread or process with a program that imports the file. The mirror marks that import as `require`.
  {
    name: 'no-cycle',
    severity: 'error',
    from: {},
    to: { circular: true, viaOnly: { dependencyTypesNot: ['require'] } },
  },
  {
    name: 'no-folder-cycle',
    severity: 'error',
    scope: 'folder',
    from: { path: '^apps/server/src/domain/' },
    to: { circular: true, path: '^apps/server/src/domain/' },
  },
]

export default { forbidden }
