import { closeAfterwards } from '../close-afterwards.js'

/** `@openai/agents-realtime`, in the version that the test chose. */
export type AgentsLibrary = Pick<
  typeof import('@openai/agents-realtime'),
  'OpenAIRealtimeWebSocket' | 'RealtimeAgent' | 'RealtimeSession'
>

/** The library configures the session and answers all calls, which clients of Parley may not. */
const expectedErrors = /session_update_not_allowed|ModelBehaviorError|backend_tool_output_not_allowed/

/** Connects OpenAI's own client to a session of the service. It validates every event that it receives. */
export function readWithAgents({ library, url }: { readonly library: AgentsLibrary; readonly url: string }) {
  const { OpenAIRealtimeWebSocket, RealtimeAgent, RealtimeSession } = library
  const transport = new OpenAIRealtimeWebSocket({ url, useInsecureApiKey: true })
  const session = new RealtimeSession(new RealtimeAgent({ name: 'Reader' }), { transport })
  closeAfterwards(() => session.close())
  const errors: string[] = []
  session.on('error', (error) => errors.push(JSON.stringify(error)))
  return {
    connected: session.connect({ apiKey: 'unused' }),
    /** The transcripts of all messages. */
    words: () =>
      session.history.flatMap((item) =>
        item.type === 'message'
          ? item.content.map((part) => ('transcript' in part ? part.transcript : null))
          : [],
      ),
    unexpectedErrors: () => errors.filter((error) => !expectedErrors.test(error)),
  }
}
