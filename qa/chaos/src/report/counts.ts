import type { AllRecords } from '../records/judge.js'

/** Returns counts of everything, to show that the run did real work. */
export function countAll({ load, outside, stored }: AllRecords): readonly string[] {
  const messages = [...stored.messages.values()].reduce((sum, each) => sum + each.length, 0)
  const announced = load.sessions.reduce((sum, { turns }) => sum + turns.length, 0)
  const calls = outside.connections.reduce((sum, each) => sum + each.calls.length, 0)
  const outputs = outside.connections.flatMap((each) => each.outputs.filter(({ isReplayed }) => !isReplayed))
  const acknowledged = load.decisions.filter(({ acknowledgedAt }) => acknowledgedAt !== null).length
  const delivered = Object.values(outside.delivered)
  const ends = (kind: 'completed' | 'error') => load.questions.filter(({ end }) => end === kind).length
  return [
    `${load.sessions.length} sockets opened, sessions by end reason: ${byName(stored.sessions.map(({ state, endReason }) => endReason ?? (state === 'consumed' ? 'none' : 'never opened')))}`,
    `${announced} spoken turns announced, ${messages} messages stored`,
    `${calls} spoken calls, ${outputs.length} outputs, ${outside.effects.length} requests to the tools`,
    `${load.decisions.length} decisions, ${acknowledged} of them acknowledged, ${stored.approvals.length} approvals: ${byName(stored.approvals.map(({ state }) => state))}`,
    `${load.questions.length} questions: ${ends('completed')} answered, ${ends('error')} failed, ${outside.modelSteps} steps of the model`,
    `${load.tasks.length} tasks: ${byName(stored.tasks.map(({ task }) => task.status))}`,
    `${load.files.length} files accepted`,
    `${stored.owedDeliveries.length} webhook events due, ${delivered.length} delivered in ${delivered.reduce((sum, count) => sum + count, 0)} deliveries, ${outside.rejectedDeliveries} deliveries rejected once`,
    `Answers to calls: ${Object.entries(load.answers)
      .map(([name, count]) => `${name} ${count}`)
      .join(', ')}`,
  ]
}

function byName(names: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].map(([name, count]) => `${name} ${count}`).join(', ') || 'none'
}
