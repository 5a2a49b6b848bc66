import type { CallableTool } from '#server/ports/tool-executor.js'

/** A tool for tests in which no tool is run. */
export const aTool: CallableTool = {
  name: 'a_tool',
  description: '',
  parameters: {},
  title: 'A tool',
  imageUrl: null,
  button: null,
  approvalRequired: false,
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
      timeoutSeconds: 30,
      button: null,
    },
  },
}
