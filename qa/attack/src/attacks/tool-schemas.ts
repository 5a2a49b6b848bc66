import { type Attack, scaled, tally } from '../stage.js'

const callsOfEach = 10

/** Each definition refers to the next one twice, so the size doubles with every level. */
function fanOut(levels: number): object {
  const level = (index: number) => [
    `d${index}`,
    index === levels
      ? { type: 'integer' }
      : { anyOf: [{ $ref: `#/$defs/d${index + 1}` }, { $ref: `#/$defs/d${index + 1}` }] },
  ]
  const $defs = Object.fromEntries(Array.from({ length: levels + 1 }, (_, index) => level(index)))
  return { type: 'object', properties: { value: { $ref: '#/$defs/d0' } }, $defs }
}

const value = (schema: object) => ({ type: 'object', properties: { value: schema } })

const cases: readonly { readonly name: string; readonly parameters: object; readonly given: unknown }[] = [
  { name: 'pattern', parameters: value({ pattern: '^(a+)+$' }), given: `${'a'.repeat(60)}!` },
  { name: 'fan_out', parameters: fanOut(30), given: 'no integer' },
  {
    name: 'unique_items',
    parameters: value({ type: 'array', uniqueItems: true }),
    given: Array.from({ length: 20_000 }, (_, index) => ({ at: index })),
  },
  { name: 'other_pattern', parameters: value({ pattern: '^(.*,)*x$' }), given: ','.repeat(60) },
  {
    name: 'alternatives',
    parameters: value({
      type: 'array',
      items: { oneOf: Array.from({ length: 500 }, () => ({ pattern: 'b$' })) },
    }),
    given: Array.from({ length: 500 }, () => 'a'.repeat(500)),
  },
]

export const toolSchemas: Attack = {
  name: 'tool-schemas',
  about: 'checks arguments against schemas that fan out, compare every item, or backtrack',
  async run({ attacker, hostile, connectionId, scale }) {
    const tools = cases.map(({ name, parameters }) => ({
      kind: 'http',
      name,
      description: 'Checks.',
      parameters,
      request: { method: 'POST', url: `${hostile.origin}/nowhere` },
    }))
    const agent = await attacker.makeAgent(connectionId, { tools })
    const calls = Array.from({ length: callsOfEach }, () => cases).flat()
    const replies = await Promise.all(
      calls
        .slice(0, scaled(calls.length, scale))
        .map(({ name, given }) => attacker.tryTool(agent.id, name, { value: given }, true)),
    )
    return tally(replies.map(({ status }) => status))
  },
}
