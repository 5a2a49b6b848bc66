import { MultiSelect, Stack, Text } from '@mantine/core'
import { useAgentDirectory } from '../../../data/use-directory'
import { Section } from '../../../parts/section'
import type { TabProps } from '../use-agent-editor'
import { graphFrom, validateGraph } from './sub-agent-graph'
import { SubAgentPicture } from './sub-agent-picture'

/** The agent's sub-agents, and theirs. */
export function SubAgentsTab({ editing: { draft, base, errors, change }, isReadOnly }: TabProps) {
  const agents = useAgentDirectory().data ?? []
  const ownId = base?.agent.id ?? 'new'
  const others = agents.filter(({ id }) => id !== ownId)
  const gone = draft.subAgentIds.filter((id) => !others.some((agent) => agent.id === id))
  const graph = graphFrom(
    { id: ownId, name: draft.name.trim() || 'This agent', subAgentIds: draft.subAgentIds },
    agents,
  )
  const wrong = Object.entries(errors).flatMap(([path, message]) => {
    const index = path.match(/^subAgentIds(?:\[(\d+)\])?/)
    if (index === null) return []
    const id = draft.subAgentIds[Number(index[1])]
    const name = others.find((agent) => agent.id === id)?.name
    return [name === undefined ? message : `${name} ${message}`]
  })
  const shown = wrong.length > 0 ? wrong : isReadOnly ? [] : validateGraph(graph, ownId)
  return (
    <Stack maw="62rem">
      <Section title="Sub-agents">
        <MultiSelect
          label="Sub-agents"
          description="The model sees each one as a tool. At most 3 levels, without circular references."
          placeholder={draft.subAgentIds.length === 0 ? 'None' : ''}
          data={[
            ...others.map(({ id, name }) => ({ value: id, label: name })),
            ...gone.map((id) => ({ value: id, label: 'Deleted agent' })),
          ]}
          value={draft.subAgentIds}
          onChange={(subAgentIds) => change({ subAgentIds })}
          maxValues={32}
          searchable
          clearable
          nothingFoundMessage="No agents found"
          error={shown.length > 0 && shown.join(' · ')}
          readOnly={isReadOnly}
        />
      </Section>
      <Section title="Diagram">
        {graph.arrows.length === 0 ? (
          <Text size="sm" c="dimmed">
            No sub-agents yet. Choose one above to see the diagram.
          </Text>
        ) : (
          <SubAgentPicture graph={graph} startId={ownId} />
        )}
      </Section>
    </Stack>
  )
}
