/*
 * What the service says beside the provider, in the words of the contract (asyncapi.json). `chatbotId` is the id of the
 * agent, or of the sub-agent whose event it is.
 */
interface Custom<Type extends string, Data> {
  readonly type: Type
  readonly data: Readonly<Data>
}

interface CallIds {
  readonly callId: string
  readonly messageId: string
}

export type CustomEvent =
  | Custom<
      'message.created',
      { chatbotId: string; id: string; role: 'user'; content: string; createdAt: string }
    >
  | Custom<'response.id', { chatbotId: string; id: string }>
  | Custom<'response.completed', { chatbotId: string }>
  | Custom<
      'response.function_invocation.start',
      {
        id: string
        callId: string
        title: string
        imageUrl: string | null
        chatbotId: string
        arguments: string
        approvalRequired: boolean
        functionName: string
      }
    >
  | Custom<
      'response.function_invocation.done',
      {
        id: string
        callId: string
        text: string
        title: string
        imageUrl: string | null
        button: boolean
        buttonLabel: string | null
        buttonLink: string | null
        chatbotId: string
        /** 0 pending, 1 success, 2 failed, 3 pending approval. */
        status: 0 | 1 | 2 | 3
        executionTimeSeconds: number
      }
    >
  | Custom<'approval.waiting', CallIds & { timeoutSeconds: number }>
  | Custom<'approval.approved', CallIds>
  | Custom<'approval.expired', CallIds>
  | Custom<
      'subagent.start',
      { id: string; name: string; icon: string | null; iconColor: string | null; callId: string }
    >
  | Custom<'subagent.done', { chatbotId: string }>

/** As a record, so that a type without its name here does not compile. */
const types: Readonly<Record<CustomEvent['type'], true>> = {
  'message.created': true,
  'response.id': true,
  'response.completed': true,
  'response.function_invocation.start': true,
  'response.function_invocation.done': true,
  'approval.waiting': true,
  'approval.approved': true,
  'approval.expired': true,
  'subagent.start': true,
  'subagent.done': true,
}

export function isCustomType(type: string): type is CustomEvent['type'] {
  return Object.hasOwn(types, type)
}
