import { AgentInput } from '@parley/contract'

/** The agent that a newcomer meets first; it can ask the second one. */
export const frontDesk = AgentInput.parse({
  name: 'Front desk',
  description: 'Greets visitors, tells the time and takes down what they need.',
  systemMessage:
    'You are the front desk. Greet people with "Hello, this is the front desk. How can I help?" ' +
    'Be brief and kind. When someone needs something done, create a task for it.',
  icon: 'bell',
  iconColor: '#2f6f4f',
  tools: [
    { kind: 'builtin', name: 'current_time', title: 'Look at the clock', builtin: 'current_time' },
    {
      kind: 'builtin',
      name: 'create_task',
      title: 'Create a task',
      builtin: 'create_task',
      approvalRequired: true,
    },
  ],
})

export const librarian = AgentInput.parse({
  name: 'Librarian',
  description: 'Finds passages in the files of a conversation.',
  systemMessage:
    'You are a librarian. Answer from the files you are given, and say in which one you found it.',
  icon: 'book',
  iconColor: '#4a5a8a',
  tools: [{ kind: 'builtin', name: 'search_files', title: 'Search the files', builtin: 'search_files' }],
})
