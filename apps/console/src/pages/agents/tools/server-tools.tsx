import { Badge, Group, Spoiler, Stack, Text } from '@mantine/core'
import type { AgentTool, OfferedTool } from '@parley/sdk'
import { useQuery } from '@tanstack/react-query'
import { useConsole } from '../../../data/console-context'
import { isSame } from '../agent-draft'
import type { McpDraft } from './tool-draft'

interface ServerToolsProps {
  readonly agentId: string | null
  readonly tool: McpDraft
  readonly saved: readonly AgentTool[]
}

/** The tools that a server offers, with their annotations. Reads the tool as saved. */
export function ServerTools({ agentId, tool, saved }: ServerToolsProps) {
  const { parley } = useConsole()
  const isSaved = agentId !== null && saved.some((each) => isSame(each, tool))
  const { data, error } = useQuery({
    queryKey: ['Agent', 'tools', agentId],
    queryFn: async () => parley.agents.listTools(agentId ?? ''),
    enabled: isSaved,
  })
  if (!isSaved) return null
  const offered = data?.items.filter((each) => each.tool === tool.name) ?? []
  if (data === undefined || offered.length === 0)
    return (
      <Text size="xs" c="dimmed">
        {error === null && data === undefined ? 'Loading tools…' : 'The server has no tools.'}
      </Text>
    )
  return (
    <Spoiler maxHeight={96} showLabel={`Show all ${offered.length}`} hideLabel="Show fewer">
      <Stack
        gap={4}
        component="ul"
        p={0}
        m={0}
        style={{ listStyle: 'none' }}
        aria-label={`Tools of ${tool.name}`}
      >
        {offered.map((each) => (
          <Group key={each.name} gap={6} component="li">
            <Text size="xs" ff="monospace">
              {each.name.slice(tool.name.length + 2)}
            </Text>
            <EffectBadge tool={each} />
            {each.approvalRequired && (
              <Badge size="xs" variant="light" color="blue">
                Approval
              </Badge>
            )}
          </Group>
        ))}
      </Stack>
    </Spoiler>
  )
}

/** A tool counts as destructive unless its server marks it as read-only or additive. */
function EffectBadge({ tool: { hints } }: { readonly tool: OfferedTool }) {
  if (hints?.readOnlyHint === true)
    return (
      <Badge size="xs" variant="light" color="green">
        Read-only
      </Badge>
    )
  if (hints?.destructiveHint === false)
    return (
      <Badge size="xs" variant="light" color="gray">
        Additive
      </Badge>
    )
  return (
    <Badge size="xs" variant="light" color="orange">
      {hints?.destructiveHint === true ? 'Destructive' : 'Possibly destructive'}
    </Badge>
  )
}
