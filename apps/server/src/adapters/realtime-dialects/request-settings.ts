import { isServiceEventId } from '../../ports/realtime-provider.js'
import { type Fields, fieldsOf } from './json-fields.js'

/** The values that ask for nothing special. */
const defaults: Readonly<Record<string, unknown>> = {
  conversation: 'auto',
  tool_choice: 'auto',
  max_output_tokens: 'inf',
}

/** The service forbids tools in some of its own requests, such as the first message. That needs no support. */
const isDefault = (event: Fields, [name, value]: readonly [string, unknown]) =>
  value === null || value === defaults[name] || (name === 'tool_choice' && isServiceEventId(event.event_id))

/**
 * Returns the name of the first setting of a `response.create` that the provider would ignore, or null. `honoured` are the
 * settings that the dialect translates.
 */
export function ignoredSetting(event: Fields, honoured: ReadonlySet<string>): string | null {
  const isIgnored = (setting: readonly [string, unknown]) =>
    !isDefault(event, setting) && !honoured.has(setting[0])
  return Object.entries(fieldsOf(event.response)).find(isIgnored)?.[0] ?? null
}

/** Returns the request with the settings that the dialect translates. Providers may not know the others, even as defaults. */
export function withSettings(event: Fields, honoured: ReadonlySet<string>): Fields {
  const { response, ...rest } = event
  const known = Object.entries(fieldsOf(response)).filter(
    ([name, value]) => honoured.has(name) && value !== null,
  )
  return known.length === 0 ? rest : { ...rest, response: Object.fromEntries(known) }
}
