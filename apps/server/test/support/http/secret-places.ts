/** A request. One with a body is a POST. */
export interface Sent {
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer | object
}

/** A well-formed key that does not exist. */
export const keyWith = (secret: string) => `prl_LeakLeak_${secret.slice(0, 43)}`

/** Every letter as a URL escape. */
const encodeAll = (text: string) =>
  `%${Buffer.from(text)
    .toString('hex')
    .replaceAll(/(..)(?=.)/g, '$1%')}`

export const httpTool = (request: object) => ({
  name: 'Tools',
  tools: [{ kind: 'http', name: 'call', description: 'Calls.', request: { method: 'GET', ...request } }],
})
export const toolUrl = 'https://tools.example.com/'
export const connections = '/api/v1/Connection'
export const agents = '/api/v1/Agent'

/**
 * Every position in a request that may contain a secret, deliberately or by mistake, with the resulting
 * status.
 */
export const secretPlaces: readonly (readonly [
  place: string,
  status: number,
  sent: (secret: string) => Sent,
])[] = [
  ['an unknown API key', 401, (secret) => ({ path: agents, headers: { 'x-api-key': keyWith(secret) } })],
  ['a malformed API key', 401, (secret) => ({ path: agents, headers: { 'x-api-key': secret } })],
  [
    'other headers',
    200,
    (secret) => ({ path: agents, headers: { authorization: secret, cookie: `a=${secret}` } }),
  ],
  ['an API key in a path', 404, (secret) => ({ path: `${agents}/${keyWith(secret)}` })],
  ['an API key in an unknown path', 404, (secret) => ({ path: `/nothing/${keyWith(secret)}/more` })],
  [
    'a percent-encoded API key in a path',
    404,
    (secret) => ({ path: `${agents}/${encodeAll(keyWith(secret).slice(0, 13))}${secret.slice(0, 43)}` }),
  ],
  [
    'a percent-encoded API key in a path with an invalid escape',
    404,
    (secret) => ({ path: `/%ff/${encodeAll(keyWith(secret).slice(0, 13))}${secret.slice(0, 43)}` }),
  ],
  [
    'an API key in a path that is percent-encoded twice',
    404,
    (secret) => ({ path: `/x/${keyWith(secret).replaceAll('_', '%255F')}` }),
  ],
  [
    'an API key in a path and in its query',
    404,
    (secret) => ({ path: `/x/${keyWith(secret)}?${keyWith(secret)}` }),
  ],
  ['an API key in a rejected query', 400, (secret) => ({ path: `${agents}?${keyWith(secret)}=1` })],
  ['X-Org-Id', 403, (secret) => ({ path: agents, headers: { 'x-org-id': secret } })],
  ['If-Match', 404, (secret) => ({ path: `${agents}/none`, headers: { 'if-match': secret } })],
  [
    'Idempotency-Key',
    400,
    (secret) => ({ path: agents, body: { name: 'A' }, headers: { 'idempotency-key': `x ${secret}` } }),
  ],
  ['a rejected query', 400, (secret) => ({ path: `${agents}?token=${secret}` })],
  ['an accepted query', 200, (secret) => ({ path: `${agents}?Search=${secret}` })],
  ['the query of an unknown path', 404, (secret) => ({ path: `/nothing?key=${secret}` })],
  ['the query of a health check', 200, (secret) => ({ path: `/healthz?key=${secret}` })],
  [
    "a realtime session's token",
    400,
    (secret) => ({ path: `${agents}/none/realtime?conversationId=none&sessionId=${secret}` }),
  ],
  [
    "a connection's API key",
    201,
    (apiKey) => ({ path: connections, body: { name: 'C', kind: 'openai', apiKey } }),
  ],
  [
    "a connection's API key in a request with an Idempotency-Key",
    201,
    (apiKey) => ({
      path: connections,
      body: { name: 'C', kind: 'openai', apiKey },
      headers: { 'idempotency-key': 'logged' },
    }),
  ],
  [
    'an API key that the connection kind does not use',
    400,
    (apiKey) => ({ path: connections, body: { name: 'C', kind: 'embedded', apiKey } }),
  ],
  [
    'an API key with a space',
    400,
    (secret) => ({ path: connections, body: { name: 'C', kind: 'openai', apiKey: `a ${secret}` } }),
  ],
  [
    'an API key of the wrong type',
    400,
    (secret) => ({ path: connections, body: { name: 'C', kind: 'openai', apiKey: [secret] } }),
  ],
  ['an unknown kind', 400, (secret) => ({ path: connections, body: { name: 'C', kind: secret } })],
  ['an unknown field', 400, (key) => ({ path: connections, body: { name: 'C', kind: 'openai', key } })],
  [
    'a base URL with a password',
    400,
    (secret) => ({
      path: connections,
      body: { name: 'C', kind: 'openai', baseUrl: `https://me:${secret}@api.example.com/` },
    }),
  ],
  [
    "a tool's header",
    201,
    (Authorization) => ({ path: agents, body: httpTool({ url: toolUrl, headers: { Authorization } }) }),
  ],
  [
    "a tool's header with a line break",
    400,
    (secret) => ({
      path: agents,
      body: httpTool({ url: toolUrl, headers: { Authorization: `a\n${secret}` } }),
    }),
  ],
  [
    "a tool's header that only the service may set",
    400,
    (Host) => ({ path: agents, body: httpTool({ url: toolUrl, headers: { Host } }) }),
  ],
  [
    "a tool's URL with a password",
    400,
    (secret) => ({ path: agents, body: httpTool({ url: `https://me:${secret}@tools.example.com/` }) }),
  ],
  ['JSON without quotes', 400, (secret) => ({ path: connections, body: `{"apiKey": ${secret}}` })],
  ['incomplete JSON', 400, (secret) => ({ path: connections, body: `{"apiKey": "${secret}` })],
  ['JSON with trailing text', 400, (secret) => ({ path: connections, body: `{"apiKey": "a"} ${secret}` })],
  ['a body that is not JSON', 400, (secret) => ({ path: connections, body: secret })],
  [
    'a body that is not UTF-8',
    400,
    (secret) => ({ path: connections, body: Buffer.concat([Buffer.from(secret), Buffer.from([0xff])]) }),
  ],
  [
    'a body of another media type',
    415,
    (secret) => ({ path: connections, body: secret, headers: { 'content-type': 'text/plain' } }),
  ],
  ['a body that is too large', 413, (secret) => ({ path: connections, body: secret.repeat(30_000) })],
]
