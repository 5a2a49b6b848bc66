import type { Caller } from '../caller-scope.js'

/** The key that something was begun with; null: a person in the console did. */
export const keyOf = ({ actor }: Caller): string | null => (actor.type === 'api_key' ? actor.id : null)
