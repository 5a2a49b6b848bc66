import { connectionAddress } from '@parley/contract'
import type { ChatModels, ChatStep, ChatTarget } from '../../ports/chat-model.js'
import { providerNames, type SpanAttributes, type Tracing } from '../../ports/tracing.js'

/**
 * Records each text model step as a span that follows the conventions for generative AI. Spans contain no
 * message text.
 */
export function traceChatModels(tracing: Tracing, models: ChatModels): ChatModels {
  if (!tracing.isRecording) return models
  return {
    async step(request) {
      const { target } = request
      const span = tracing.begin({
        name: `chat ${target.model}`,
        kind: 'client',
        attributes: requestAttributes(target),
      })
      try {
        const step = await span.run(() => models.step(request))
        span.set(stepAttributes(step))
        span.end(step.ok ? null : step.detail)
        return step
      } catch (error) {
        span.end('the step failed')
        throw error
      }
    },
  }
}

function requestAttributes({
  kind,
  model,
  baseUrl,
  connectionId,
  organizationId,
}: ChatTarget): SpanAttributes {
  const text = connectionAddress({ kind, baseUrl })
  const address = text === null ? null : URL.parse(text)
  return {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': providerNames[kind],
    'gen_ai.request.model': model,
    'gen_ai.request.stream': true,
    'gen_ai.output.type': 'text',
    'server.address': address?.hostname,
    'server.port': address === null ? undefined : portOf(address),
    'parley.connection.id': connectionId,
    'parley.organization.id': organizationId,
  }
}

const portOf = ({ port, protocol }: URL) => (port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port))

function stepAttributes(step: ChatStep): SpanAttributes {
  return {
    'gen_ai.usage.input_tokens': step.usage?.inputTokens,
    'gen_ai.usage.output_tokens': step.usage?.outputTokens,
    'gen_ai.usage.cache_read.input_tokens': step.usage?.cachedInputTokens,
    'gen_ai.response.finish_reasons': step.ok ? [finishReason(step)] : ['error'],
    'gen_ai.response.model': step.ok ? step.responseModel : undefined,
    'error.type': step.ok ? undefined : 'model_unavailable',
  }
}

function finishReason({ calls, isCutOff }: Extract<ChatStep, { ok: true }>): string {
  if (isCutOff) return 'length'
  return calls.length > 0 ? 'tool_calls' : 'stop'
}
