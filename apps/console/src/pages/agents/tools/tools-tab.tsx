import { Button, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { IconPlus, IconTools } from '@tabler/icons-react'
import { useState } from 'react'
import { EmptyState } from '../../../parts/empty-state'
import { withIndex } from '../../../parts/with-index'
import { toolErrors } from '../agent-errors'
import type { TabProps } from '../use-agent-editor'
import { ToolCard } from './tool-card'
import type { ToolDraft } from './tool-draft'
import { ToolDrawer } from './tool-drawer'
import { TryTool } from './try-tool'

export function ToolsTab({ editing, isReadOnly }: TabProps) {
  const { draft, base, errors, change } = editing
  const [opened, setOpened] = useState<number | 'new' | null>(null)
  const [tried, setTried] = useState<ToolDraft | null>(null)
  const { tools } = draft
  const put = (index: number, tool: ToolDraft) =>
    change({ tools: index < tools.length ? tools.with(index, tool) : [...tools, tool] })
  const add = !isReadOnly && (
    <Button variant="default" leftSection={<IconPlus size={16} />} onClick={() => setOpened('new')}>
      New tool
    </Button>
  )
  const index = opened === 'new' ? tools.length : (opened ?? 0)
  return (
    <Stack maw="62rem">
      {tools.length === 0 ? (
        <EmptyState icon={IconTools} title="No tools yet" action={add}>
          Tools let the agent look things up and take actions.
        </EmptyState>
      ) : (
        <>
          <Group justify="space-between">
            <Text size="sm" c="dimmed">
              The model chooses tools by name and description.
            </Text>
            {add}
          </Group>
          <SimpleGrid cols={{ base: 1, md: 2 }} component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
            {withIndex(tools).map(({ item: tool, index }) => (
              <ToolCard
                key={index}
                agentId={base?.agent.id ?? null}
                tool={tool}
                saved={base?.agent.tools ?? []}
                errors={toolErrors(errors, index)}
                isReadOnly={isReadOnly}
                onOpen={() => setOpened(index)}
                onTry={() => setTried(tool)}
                onRemove={() => change({ tools: tools.filter((_, other) => other !== index) })}
              />
            ))}
          </SimpleGrid>
        </>
      )}
      {opened !== null && (
        <ToolDrawer
          key={index}
          tool={tools[index] ?? null}
          others={tools.filter((_, other) => other !== index)}
          saved={base?.agent.tools ?? []}
          rejected={toolErrors(errors, index)}
          isReadOnly={isReadOnly}
          onClose={() => setOpened(null)}
          onDone={(tool) => {
            put(index, tool)
            setOpened(null)
          }}
        />
      )}
      {tried !== null && base !== null && (
        <TryTool agentId={base.agent.id} tool={tried} onClose={() => setTried(null)} />
      )}
    </Stack>
  )
}
