import type { ChatStepRequest } from '../../ports/chat-model.js'
import type { OutboundFailure } from '../../ports/outbound.js'
import { concealerOf } from '../secret-redaction/conceal-secrets.js'
import type { Observation } from './observed-fetch.js'
import { StreamFailure } from './stream-failure.js'

const maxProviderWords = 300

/** Describes a failure in one sentence for the connection's administrator, without the provider's API key. */
export function describeFailure(
  seen: Observation,
  error: unknown,
  { target: { model, apiKey }, messages }: Pick<ChatStepRequest, 'target' | 'messages'>,
): string {
  // Secrets are concealed before the text is truncated. Otherwise, a truncated key would remain readable.
  const conceal = concealerOf(apiKey === null ? [] : [apiKey], '[key]')
  const shown = (words: string) => shorten(conceal(words))
  const guarded = outboundFailureIn(seen.error ?? error)
  // If the answer had already started, it is reported as truncated.
  const hasBegun = seen.status !== null && guarded?.reason === 'connection-failed'
  if (guarded !== null && !hasBegun) return guarded.detail
  if (error instanceof StreamFailure) return describeStream(error.reason, shown(error.message))
  if (seen.error !== null) return `The provider is unreachable${codeOf(seen.error)}. Try again later.`
  if (seen.status === null) return 'The conversation cannot be converted to the format of this provider.'
  if (cannotSeePictures(seen.status, wordsOf(error), messages))
    return `The model ${model} cannot see pictures. Ask in a conversation without pictures, or choose another model.`
  if (seen.status >= 300) return describeStatus(seen.status, shown(wordsOf(error)), model)
  if (isUnreadable(error)) return describeStream('unreadable')
  return isPackageError(error)
    ? describeStream('reported', shown(wordsOf(error)))
    : describeStream('broken-off')
}

/** Returns the outbound guard's failure from an error or its causes. */
export function outboundFailureIn(error: unknown): OutboundFailure | null {
  for (let each = error; each instanceof Error; each = each.cause)
    if ('reason' in each && 'detail' in each && typeof each.detail === 'string')
      return each as OutboundFailure
  return null
}

/** Terms that servers use in errors about a picture that their model does not support. */
const aboutPictures = /\b(images?|image_url|vision|multi-?modal|modalit(y|ies))\b/i
/** Statuses with a known cause. The provider's own messages for them are ignored. */
const otherReasons = [401, 403, 413, 429]

function cannotSeePictures(status: number, words: string, messages: ChatStepRequest['messages']): boolean {
  const hasPictures = messages.some((message) => message.role === 'user' && (message.images ?? []).length > 0)
  return hasPictures && status >= 400 && !otherReasons.includes(status) && aboutPictures.test(words)
}

function describeStream(reason: StreamFailure['reason'], words = ''): string {
  switch (reason) {
    case 'broken-off':
      return "The provider's answer ended too early. Try again."
    case 'unreadable':
      return 'The provider sent something that is not a valid answer. Check kind and baseUrl.'
    case 'reported':
      return words === '' ? 'The provider reported an error.' : `The provider reported an error: ${words}`
  }
}

function describeStatus(status: number, words: string, model: string): string {
  if (status === 401 || status === 403)
    return `The provider answered ${status}: it does not accept the stored key.`
  if (status === 404)
    return `The provider answered 404: it does not offer the model ${model}, or baseUrl is wrong.`
  if (status === 429) return 'The provider answered 429: its rate limit or quota is used up. Try again later.'
  if (status >= 500) return `The provider answered ${status}. Try again later.`
  return words === '' ? `The provider answered ${status}.` : `The provider answered ${status}: ${words}`
}

function codeOf(error: unknown): string {
  for (let each = error; each instanceof Error; each = each.cause)
    if ('code' in each && typeof each.code === 'string' && each.code !== '') return ` (${each.code})`
  return ''
}

/** The provider packages mark their errors about a provider's response. */
function isPackageError(error: unknown): error is Error & { readonly responseBody: string } {
  return error instanceof Error && 'responseBody' in error && typeof error.responseBody === 'string'
}

/** One package reports its own parsing problem with the first event as if the provider had sent it. */
function isUnreadable(error: unknown): boolean {
  return isPackageError(error) && /^\{"name":"AI_/.test(error.responseBody)
}

/** Returns the provider's own error message. */
function wordsOf(error: unknown): string {
  return isPackageError(error) ? error.message : ''
}

function shorten(words: string): string {
  return words.length > maxProviderWords ? `${words.slice(0, maxProviderWords)}…` : words
}
