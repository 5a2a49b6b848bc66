import type { CallableTool } from '#server/ports/tool-executor.js'

/** A read-only tool, for tests that run no tool. */
export const aTool: CallableTool = {
  name: 'a_tool',
  description: '',
  parameters: {},
  title: 'A tool',
  imageUrl: null,
  button: null,
  approvalRequired: false,
  approvedBy: 'either',
  timeoutSeconds: 30,
  action: {
    kind: 'builtin',
    tool: {
      kind: 'builtin',
      builtin: 'current_time',
      name: 'a_tool',
      title: null,
      description: null,
      imageUrl: null,
      approvalRequired: false,
      approvedBy: 'either',
      timeoutSeconds: 30,
      button: null,
    },
  },
}

/** The same tool, but with side effects. */
export const toolWithEffects: CallableTool = {
  ...aTool,
  action: {
    kind: 'subagent',
    agentId: 'an_agent',
    agentName: 'An agent',
    icon: null,
    iconColor: null,
  },
}
