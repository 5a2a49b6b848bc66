import { restRatio } from './bars.js'
import type { PageTable } from './page-tables.js'

/** A section of the page: an introduction, the plots of the bench and its tables. */
export interface PageSection {
  readonly bench: string
  readonly head: string
  readonly about: string
  readonly tables: readonly PageTable[]
}

const addedLatency = 'added p99'

export const pageSections: readonly PageSection[] = [
  {
    bench: 'relay',
    head: 'The relay',
    about: `Each scenario puts the same load on Parley and on four other servers:

- *blind relay*: a relay on \`ws\` that forwards each frame without reading it
- *parsing relay*: a relay on \`ws\` that parses each frame and serializes it again
- *TCP pipe*: two Node sockets joined by \`pipe\`, the minimum that Node's streams cost
- *nginx* with its default buffers

\`100\`, \`400\` and \`1000\` sessions send 25, 25 and 5 frames of 6.4 KB a second each way; \`400-half\` has half the rate. The other scenarios have
100 sessions: \`20ms\` has frames of 1.3 KB, \`event-id\` client frames with an event id, \`burst\` ten provider frames at once, and \`tls\` TLS on
both sides. The table has CPU per message and the p99 latency that is added to a direct connection in the same round. Clients, provider and
server share two cores. Parley's CPU includes the embedded database. If a server did not carry the whole load, its latency includes queueing.`,
    tables: [
      {
        head: 'scenario',
        columns: [
          ...['Parley', 'blind relay', 'TCP pipe', 'nginx'].map((subject) => ({
            head: `${subject} µs`,
            subject,
            figure: 'CPU',
          })),
          { head: 'Parley / blind relay', subject: 'Parley', figure: 'CPU x blind relay', hasRange: true },
          ...['Parley', 'blind relay', 'nginx'].map((subject) => ({
            head: `${subject} p99 ms`,
            subject,
            figure: addedLatency,
          })),
        ],
      },
    ],
  },
  {
    bench: 'sessions',
    head: 'Sessions',
    about: `The cost of one session: creating it over HTTP, opening its socket until the provider's greeting arrives, and its memory when idle and while
both sides talk. Memory is the growth of the process per session.`,
    tables: [
      {
        head: '300 sessions, 4 at a time',
        scenario: 'cost',
        columns: [
          ...['create', 'open'].flatMap((step) => [
            { head: `${step} CPU ms`, figure: `${step} CPU` },
            { head: 'p50 ms', figure: `${step} p50` },
            { head: 'p99 ms', figure: `${step} p99` },
          ]),
          { head: 'both CPU ms', figure: 'both CPU' },
          { head: 'idle KiB', figure: 'idle' },
          { head: 'talking KiB', figure: 'talking' },
        ],
      },
      {
        head: 'one core, 10 frames a second each way',
        scenario: 'most',
        columns: [
          { head: 'most sessions with an added p99 below 5 ms', figure: 'sessions' },
          { head: 'added p99 ms', figure: addedLatency },
          { head: 'cores', figure: 'cores' },
        ],
      },
    ],
  },
  {
    bench: 'rest',
    head: 'The REST API',
    about: `The same requests to Parley and to a bare server. The bare server executes the same statements on the same PostgreSQL and sends the same
response, but checks no key, scope, limit or schema.`,
    tables: [
      {
        head: 'request',
        columns: [
          { head: 'Parley, CPU µs', subject: 'Parley', figure: 'CPU' },
          { head: 'bare Fastify, CPU µs', subject: 'bare Fastify', figure: 'CPU' },
          {
            head: 'requests per CPU second, Parley / bare Fastify',
            subject: 'Parley',
            figure: restRatio,
            hasRange: true,
          },
          { head: 'Parley, p99 ms', subject: 'Parley', figure: 'p99' },
          { head: 'bare Fastify, p99 ms', subject: 'bare Fastify', figure: 'p99' },
        ],
      },
    ],
  },
  {
    bench: 'text',
    head: 'Streamed answers',
    about: `Answers of 100 events from a model that sends as fast as it is read. Parley stores every event before it sends it, so a client can resume a broken
stream. The *blind proxy* stores nothing.`,
    tables: [
      {
        head: 'answers at once',
        columns: ['Parley', 'blind proxy'].flatMap((subject) => [
          { head: `${subject}: first event p50 ms`, subject, figure: 'first event p50' },
          { head: 'events a second', subject, figure: 'events' },
          { head: 'CPU ms an answer', subject, figure: 'CPU' },
        ]),
      },
    ],
  },
  {
    bench: 'engine',
    head: 'The built-in engine',
    about:
      'The time from the last audible sample of a question to the first sample of the answer, at the speed of speech, on the native runtime.',
    tables: [
      {
        head: 'callers at once',
        scenario: 'native',
        columns: [
          { head: 'first audio p50 ms', figure: 'first audio p50' },
          { head: 'p95 ms', figure: 'first audio p95' },
          { head: 'unanswered', figure: 'unanswered' },
          { head: 'cores', figure: 'cores' },
          { head: 'MiB', figure: 'memory' },
        ],
      },
      {
        head: 'seconds of work for a second of sound',
        scenario: 'native speed',
        columns: ['hearing', 'speaking'].map((name) => ({ head: name, figure: name })),
      },
    ],
  },
  {
    bench: 'growth',
    head: 'Growth',
    about: `The exponent by which processor time and memory grow when the work grows from 1x to 8x: 1 is linear, 2 is quadratic. The memory of
silent sessions is measured after a garbage collection.`,
    tables: [],
  },
]
