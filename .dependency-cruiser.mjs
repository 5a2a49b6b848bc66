// Which way imports may point, of values and of types alike. `npm run check` keeps to it (scripts/check-arrows.mjs).
//
//   edge ──► domain ──► ports ◄── adapters        all may use contract and concurrency; wiring and main see everything
//   agent-tests ──► agents-as-code ──► sdk        console, acceptance ──► sdk        the sdk imports no other package
//   only the server imports the server; engine, talk and bench import nothing of it

/** Code of this repository. Another package of it is reached through what was compiled. */
const of = (names) => `^([.][.]/)*(apps|packages|qa)/(${names})/(src|dist)/`
const ours = of('[a-z-]+')
const [contract, engine, demoModel, embeddedDatabase, relaySocket, sdk, terminal] = [
  'contract',
  'engine',
  'demo-model',
  'embedded-database',
  'relay-socket',
  'sdk',
  'terminal',
].map(of)
const agentPackages = of('agents-as-code|agent-tests')
const [ports, concurrency, domain, edge, config] = [
  'ports/',
  'concurrency/',
  'domain/',
  'edge/',
  'config(/|[.])',
].map((part) => `^apps/server/src/${part}`)
const adapter = (name) => `^apps/server/src/adapters/${name}/`

/** What stands at `from` may import, of ours, from its own place and from the others that are named. */
const arrow = (name, from, ...others) => ({
  name,
  severity: 'error',
  from: { path: from },
  to: { path: ours, pathNot: [from, ...others] },
})

/** Adapters know ports and their own technology. Those that are built upon another one say so here. */
const adapterUses = {
  'chat-models': [adapter('secret-redaction')],
  'openai-realtime': [adapter('outbound'), adapter('secret-redaction'), relaySocket],
  // Errors that a line of the log tells of already are marked.
  database: [adapter('system'), embeddedDatabase],
  'embedded-engine': [adapter('openai-realtime'), engine, demoModel, relaySocket],
  'http-tools': [adapter('secret-redaction')],
  'mcp-oauth': [adapter('outbound')],
  'mcp-tools': [adapter('secret-redaction'), adapter('outbound')],
  oidc: [adapter('outbound')],
  opentelemetry: [adapter('system')],
  'operator-door': [embeddedDatabase],
}

/** What the domain and its ports must not know of. */
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
  arrow('contract-knows-itself-alone', '^packages/contract/src/'),
  arrow('ports-know-the-contract', ports, contract, relaySocket),
  arrow('concurrency-knows-ports', concurrency, ports),
  arrow('domain-knows-ports', domain, contract, ports, concurrency, relaySocket),
  arrow(
    'edge-knows-the-domain',
    '^apps/server/src/edge/(?!terminal/)',
    contract,
    ports,
    relaySocket,
    concurrency,
    domain,
    edge,
  ),
  arrow(
    'terminal-knows-settings-too',
    '^apps/server/src/edge/terminal/',
    contract,
    terminal,
    ports,
    domain,
    edge,
    config,
  ),
  arrow(
    'cli-is-an-edge',
    '^apps/server/src/cli/',
    ...[contract, ports, domain, edge, config, sdk, terminal, agentPackages],
  ),
  arrow('config-knows-the-contract', config, contract),
  arrow('version-knows-nothing', '^apps/server/src/version[.]'),
  ...Object.entries(adapterUses).map(([name, others]) =>
    arrow(`adapter-${name}`, adapter(name), contract, ports, concurrency, ...others),
  ),
  {
    name: 'adapters-know-ports',
    severity: 'error',
    from: { path: '^apps/server/src/adapters/([^/]+)/', pathNot: Object.keys(adapterUses).map(adapter) },
    to: { path: ours, pathNot: [contract, ports, concurrency, '^apps/server/src/adapters/$1/'] },
  },
  arrow(
    'server-knows-other-packages',
    '^apps/server/src/',
    ...[contract, engine, demoModel, embeddedDatabase, relaySocket, sdk, terminal, agentPackages],
  ),
  arrow('engine-knows-the-demo-model', '^packages/engine/src/', demoModel),
  arrow('demo-model-stands-alone', '^packages/demo-model/src/'),
  arrow('terminal-stands-alone', '^packages/terminal/src/'),
  // Both are clients of a running service.
  arrow('agents-as-code-is-a-client', '^packages/agents-as-code/src/', contract, sdk, terminal),
  arrow(
    'agent-tests-are-a-client',
    '^packages/agent-tests/src/',
    ...[contract, sdk, terminal, of('agents-as-code')],
  ),
  arrow('relay-socket-stands-alone', '^packages/relay-socket/src/'),
  arrow('embedded-database-stands-alone', '^packages/embedded-database/src/'),
  arrow('talk-is-a-client', '^apps/talk/src/', contract, engine),
  // Quality assurance starts the service as a process. Its programs share qa/stage.
  arrow('stage-is-a-client', '^qa/stage/src/', contract),
  ...['bench', 'attack', 'chaos', 'kill', 'soak'].map((name) =>
    arrow(
      `${name}-is-a-client`,
      `^qa/${name}/src/`,
      contract,
      engine,
      of('stage|statement-recorder|relay-socket'),
    ),
  ),
  arrow('statement-recorder-stands-alone', '^packages/statement-recorder/src/'),
  // Its types are generated from the contract's documents, so that its users install no schemas.
  arrow('sdk-stands-alone', '^packages/sdk/src/'),
  {
    name: 'sdk-runs-anywhere',
    severity: 'error',
    from: { path: '^packages/sdk/src/', pathNot: '-node[.]js$' },
    to: { dependencyTypes: ['core'] },
  },
  arrow('console-knows-the-sdk', '^apps/console/src/', sdk),
  // It sees a deployment from outside.
  arrow('acceptance-knows-the-sdk', '^qa/acceptance/src/', sdk),
  {
    name: 'no-technology-inside',
    severity: 'error',
    from: { path: [ports, domain] },
    to: { path: `(^|/)node_modules/(${technologies.join('|')})/` },
  },
  // It is loaded where somebody wants traces, by this one file, and nowhere else.
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
  // Among them `#server/…`, which is for tests. Where `#socket` leads, each runtime decides.
  {
    name: 'leads-nowhere',
    severity: 'error',
    from: {},
    to: { couldNotResolve: true, pathNot: '^#socket$' },
  },
  // A peer that is declared as optional counts as both: its meta field is taken for a list of dependencies.
  {
    name: 'undeclared-package',
    severity: 'error',
    from: {},
    to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['npm-peer'] },
  },
  // A program that a file starts, in a thread or a process, may import that file.
  {
    name: 'no-circle',
    severity: 'error',
    from: {},
    to: { circular: true, viaOnly: { dependencyTypesNot: ['require'] } },
  },
  {
    name: 'no-circle-of-folders',
    severity: 'error',
    scope: 'folder',
    from: { path: '^apps/server/src/domain/' },
    to: { circular: true, path: '^apps/server/src/domain/' },
  },
]

export default { forbidden }
