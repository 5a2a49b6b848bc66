import type { ChatCall, ChatMessage } from '../../ports/chat-model.js'

export interface CallOutput {
  readonly call: ChatCall
  readonly output: string
}

/**
 * Runs the calls of one step, all at once, and returns their outputs in order. A model may repeat an id: what has one
 * id is one call, runs once, and its output goes to each of them.
 */
export function runCalls(
  calls: readonly ChatCall[],
  callTool: (call: ChatCall) => Promise<string>,
): Promise<readonly CallOutput[]> {
  const running = new Map<string, Promise<string>>()
  return Promise.all(
    calls.map(async (call) => {
      const output = running.get(call.callId) ?? callTool(call)
      running.set(call.callId, output)
      return { call, output: await output }
    }),
  )
}

/** The conversation as the next step sees it: what the model said and called, then one output for each call. */
export function messagesAfter(
  messages: readonly ChatMessage[],
  text: string,
  outputs: readonly CallOutput[],
): readonly ChatMessage[] {
  return [
    ...messages,
    { role: 'assistant', text, calls: outputs.map(({ call }) => call) },
    ...outputs.map(
      ({ call, output }): ChatMessage => ({ role: 'tool', callId: call.callId, name: call.name, output }),
    ),
  ]
}
