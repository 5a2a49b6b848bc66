import { isServiceEventId } from '../../ports/realtime-provider.js'
import { type Fields, fieldsOf } from './json-fields.js'

/** The values that ask for nothing special. */
const defaults: Readonly<Record<string, unknown>> = {
  conversation: 'auto',
  tool_choice: 'auto',
  max_output_tokens: 'inf',
}

/**
 * Returns the name of the first setting of a `response.create` that the provider would ignore, or null. `honoured` are the
 * settings that the dialect translates. The service forbids tools in its own requests where that is possible, so there it may
 * be ignored.
 */
export function ignoredSetting(event: Fields, honoured: ReadonlySet<string>): string | null {
  const isOwn = isServiceEventId(event.event_id)
  const isIgnored = ([name, value]: readonly [string, unknown]) =>
    value !== null && value !== defaults[name] && !honoured.has(name) && !(isOwn && name === 'tool_choice')
  return Object.entries(fieldsOf(event.response)).find(isIgnored)?.[0] ?? null
}
