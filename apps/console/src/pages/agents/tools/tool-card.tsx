import { ActionIcon, Badge, Button, Group, Paper, Stack, Text, Tooltip } from '@mantine/core'
import type { AgentTool } from '@parley/sdk'
import { IconEye, IconPencil, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import { useConsole } from '../../../data/console-context'
import { isSame } from '../agent-draft'
import { ServerTools } from './server-tools'
import { builtinLabels, kindLabels, type ToolDraft } from './tool-draft'
import type { FieldErrors } from './tool-errors'

interface ToolCardProps {
  readonly agentId: string | null
  readonly tool: ToolDraft
  readonly saved: readonly AgentTool[]
  readonly errors: FieldErrors
  readonly isReadOnly: boolean
  readonly onOpen: () => void
  readonly onTry: () => void
  readonly onRemove: () => void
}

/** Summary of one tool. */
export function ToolCard(props: ToolCardProps) {
  const { tool, errors, isReadOnly, onOpen, onRemove } = props
  const wrong = Object.values(errors)
  return (
    <Paper withBorder p="md" bg="var(--parley-card)" component="li" aria-label={tool.name}>
      <Stack gap={6} h="100%">
        <Group justify="space-between" wrap="nowrap" align="start">
          <div style={{ minWidth: 0 }}>
            <Text fw={600} truncate>
              {tool.title ?? tool.name}
            </Text>
            {tool.title !== null && (
              <Text size="xs" c="dimmed" ff="monospace" truncate>
                {tool.name}
              </Text>
            )}
          </div>
          <Group gap={6} wrap="nowrap">
            {approvalLabel(tool) !== null && (
              <Badge variant="light" color="blue">
                {approvalLabel(tool)}
              </Badge>
            )}
            <Badge variant="light" color="gray">
              {kindLabels[tool.kind].title}
            </Badge>
          </Group>
        </Group>
        <Text size="sm" c="dimmed" lineClamp={2} flex={1}>
          {tool.description || (tool.kind === 'builtin' ? builtinLabels[tool.builtin] : 'No description')}
        </Text>
        <Text size="xs" ff="monospace" c="dimmed" truncate>
          {leadsTo(tool)}
        </Text>
        {wrong.length > 0 && (
          <Text size="xs" c="var(--mantine-color-error)" role="status">
            {wrong.join(' · ')}
          </Text>
        )}
        {tool.kind === 'mcp' && <ServerTools {...props} tool={tool} />}
        <Group gap="xs" mt={4}>
          <Button
            size="xs"
            variant="default"
            leftSection={isReadOnly ? <IconEye size={14} /> : <IconPencil size={14} />}
            onClick={onOpen}
            aria-label={`${isReadOnly ? 'View' : 'Edit'} ${tool.name}`}
          >
            {isReadOnly ? 'View' : 'Edit'}
          </Button>
          <TryButton {...props} />
          {!isReadOnly && (
            <Tooltip label="Remove from agent">
              <ActionIcon
                ml="auto"
                variant="subtle"
                color="red"
                onClick={onRemove}
                aria-label={`Remove ${tool.name}`}
              >
                <IconTrash size={16} />
              </ActionIcon>
            </Tooltip>
          )}
        </Group>
      </Stack>
    </Paper>
  )
}

function approvalLabel(tool: ToolDraft): string | null {
  const by = { staff: ' by staff', client: ' by end user', either: '' }[tool.approvedBy]
  if (tool.approvalRequired) return `Approval${by}`
  return tool.kind === 'mcp' && tool.destructiveApprovalRequired ? `Approval${by} if destructive` : null
}

/** The service runs saved tools only, so changes must be saved first. */
function TryButton({ tool, saved, onTry }: ToolCardProps) {
  const { may } = useConsole()
  if (!may('agent:write')) return null
  const isSaved = saved.some((each) => isSame(each, tool))
  return (
    <Tooltip label="Save the agent to test this tool." disabled={isSaved}>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconPlayerPlay size={14} />}
        {...(isSaved ? { onClick: onTry } : { 'data-disabled': true, 'aria-disabled': true })}
        aria-label={`Test ${tool.name}`}
      >
        Test
      </Button>
    </Tooltip>
  )
}

function leadsTo(tool: ToolDraft): string {
  if (tool.kind === 'http') return `${tool.request.method} ${tool.request.url}`
  if (tool.kind === 'mcp') return tool.server.url ?? `Server ${tool.server.name} (preconfigured)`
  return tool.builtin
}
