import { type Attack, scaled, tally } from '../stage.js'

const headerCount = 50
const attributesInHeader = 800
const calls = 8

export const manySecrets: Attack = {
  name: 'many-secrets',
  about:
    "gives a tool 50 headers with 800 secrets each, and the service searches the tool's answers for all of them",
  async run({ attacker, hostile, connectionId, scale }) {
    hostile.onRequest('/shown', (response) =>
      response.writeHead(200, { 'content-type': 'text/plain' }).end('b'.repeat(64 * 1024)),
    )
    const secret = (header: number, index: number) => (header * 1000 + index).toString(36).padStart(6, 'b')
    const headers = Object.fromEntries(
      Array.from({ length: headerCount }, (_, header) => [
        `x-secret-${header}`,
        Array.from({ length: attributesInHeader }, (_, index) => `a=${secret(header, index)}`).join(';'),
      ]),
    )
    const tool = { kind: 'http', name: 'shown', description: 'Shows.' }
    const request = { method: 'GET', url: `${hostile.origin}/shown`, headers }
    const made = await attacker.send(
      'POST',
      'Agent',
      JSON.stringify({ name: 'Secrets', connectionId, tools: [{ ...tool, request }] }),
    )
    if (made.status !== 201) return `rejected with ${made.status}`
    const { id } = JSON.parse(made.text) as { id: string }
    const replies = await Promise.all(
      Array.from({ length: scaled(calls, scale) }, () => attacker.tryTool(id, 'shown', {}, false)),
    )
    return tally(replies.map(({ status }) => status))
  },
}
