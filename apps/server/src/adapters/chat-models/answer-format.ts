import type { ChatStepRequest } from '../../ports/chat-model.js'
import type { Observation } from './observed-fetch.js'
import type { ProviderCall } from './provider-model.js'

type Schema = Readonly<Record<string, unknown>>

/** The tool whose arguments are the answer, for servers without another way to request a format. */
export const answerToolName = 'parley_answer'

/**
 * Returns the request in the form that its provider supports. Many compatible servers never call tools while
 * they are bound to a format, so beside tools the answer is a tool as well.
 */
export function inSupportedForm(request: ChatStepRequest): ChatStepRequest {
  const isBound = Boolean(request.responseSchema) && request.target.kind === 'openai-compatible'
  return isBound && request.tools.length > 0 ? withAnswerTool(request) : request
}

/** Returns the form to try after a rejected one, or null if there is none. */
export function formAfterRejection(
  request: ChatStepRequest,
  { status }: Observation,
): ChatStepRequest | null {
  const isBound = Boolean(request.responseSchema) && request.target.kind === 'openai-compatible'
  return isBound && (status === 400 || status === 422) ? withAnswerTool(request) : null
}

function withAnswerTool(request: ChatStepRequest): ChatStepRequest {
  const { tools, responseSchema } = request
  const parameters = plain(responseSchema ?? {})
  const tool = { name: answerToolName, description: 'Gives the final answer.', parameters }
  return {
    ...request,
    tools: [...tools, tool],
    toolChoice: tools.length === 0 ? { name: answerToolName } : 'required',
    responseSchema: null,
  }
}

export function responseFormatOf(schema: Schema): NonNullable<ProviderCall['responseFormat']> {
  return { type: 'json', name: 'answer', schema: plain(schema) }
}

const plain = ({ $schema: _, ...schema }: Schema): Schema => schema

const strictKeywords = new Set(
  'type title description properties required additionalProperties items anyOf enum const'.split(' '),
)

/** Returns whether a schema fulfills the conditions of OpenAI's strict mode, which rejects all others. */
export function isStrictSchema(given: Schema): boolean {
  const schema = plain(given)
  const { type, properties = {}, required = [], additionalProperties, items, anyOf = [] } = schema
  const isObject = [type].flat().includes('object')
  const isClosed =
    additionalProperties === false &&
    Object.keys(properties as Schema).every((name) => (required as string[]).includes(name))
  const inner = [...Object.values(properties as Schema), ...(anyOf as Schema[]), ...(items ? [items] : [])]
  return (
    ('type' in schema || 'anyOf' in schema) &&
    Object.keys(schema).every((keyword) => strictKeywords.has(keyword)) &&
    (isClosed || !isObject) &&
    inner.every((each) => isStrictSchema(each as Schema))
  )
}
