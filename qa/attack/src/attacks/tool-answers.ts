import { type Attack, scaled, tally } from '../stage.js'

const callsOfEach = 16

const answers = {
  quotes_80_kb: { type: 'application/json', body: `"${'\\"'.repeat(40_000)}` },
  quotes_1_mib: { type: 'application/json', body: `"${'\\"'.repeat(512 * 1024 - 1)}` },
  open_quotes: { type: 'application/json', body: '"'.repeat(1024 * 1024) },
  long_charset: { type: `text/plain; charset=${' '.repeat(15_000)}"x`, body: 'x'.repeat(80_000) },
  many_parameters: { type: `text/plain${';charset'.repeat(1800)}`, body: 'x' },
  beyond_the_limit: { type: 'text/plain', body: 'x'.repeat(8 * 1024 * 1024) },
} as const

export const toolAnswers: Attack = {
  name: 'tool-answers',
  about: 'lets tools answer with 1 MiB of quotes, and with a charset of 15 KB',
  async run({ attacker, hostile, connectionId, scale }) {
    for (const [name, { type, body }] of Object.entries(answers))
      hostile.onRequest(`/${name}`, (response) => response.writeHead(200, { 'content-type': type }).end(body))
    const tools = Object.keys(answers).map((name) => ({
      kind: 'http',
      name,
      description: 'Answers.',
      request: { method: 'GET', url: `${hostile.origin}/${name}` },
    }))
    const agent = await attacker.makeAgent(connectionId, { tools })
    const calls = tools.flatMap(({ name }) => Array.from({ length: scaled(callsOfEach, scale) }, () => name))
    const replies = await Promise.all(calls.map((name) => attacker.tryTool(agent.id, name, {}, false)))
    return tally(replies.map(({ status }) => status))
  },
}
