import type { ModelMessage } from '../text-model.js'

/** What it is, in the words that it always uses for that. */
export const disclosure = 'This is the small offline model that comes with the service.'

function hasDisclosed(earlier: readonly ModelMessage[]): boolean {
  return earlier.some((message) => message.role === 'assistant' && message.text.includes(disclosure))
}

/** Said before an answer, once in a conversation. */
export function disclosedOnce(earlier: readonly ModelMessage[], answer: string): string {
  return hasDisclosed(earlier) ? answer : `${disclosure} ${answer}`
}
