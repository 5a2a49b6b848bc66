import { Button, Group, Paper, Stack, Text } from '@mantine/core'
import type { AgentTest, AgentTestRunSummary } from '@parley/sdk'
import { IconEye, IconMicrophone, IconPencil, IconPlayerPlay } from '@tabler/icons-react'
import { lastVerdict } from './use-tests'
import { VerdictBadge } from './verdict-badge'

interface TestCardProps {
  readonly test: AgentTest
  readonly runs: readonly AgentTestRunSummary[]
  readonly isReadOnly: boolean
  readonly onOpen: () => void
  /** Null if the test cannot be run now. */
  readonly onRun: (() => void) | null
}

/** One definition and the last verdict of each of its tests. */
export function TestCard({ test, runs, isReadOnly, onOpen, onRun }: TestCardProps) {
  return (
    <Paper withBorder p="md" bg="var(--parley-card)" component="li" aria-label={test.name}>
      <Group justify="space-between" align="start" gap="sm">
        <Text fw={600} style={{ overflowWrap: 'anywhere', minWidth: 0, flex: '1 1 12rem' }}>
          {test.name}
        </Text>
        <Group gap="xs" wrap="nowrap">
          <Button
            size="xs"
            variant="default"
            leftSection={isReadOnly ? <IconEye size={14} /> : <IconPencil size={14} />}
            onClick={onOpen}
            aria-label={`${isReadOnly ? 'View' : 'Edit'} ${test.name}`}
          >
            {isReadOnly ? 'View' : 'Edit'}
          </Button>
          {!isReadOnly && (
            <Button
              size="xs"
              variant="default"
              leftSection={<IconPlayerPlay size={14} />}
              disabled={onRun === null}
              onClick={() => onRun?.()}
              aria-label={`Run ${test.name}`}
            >
              Run
            </Button>
          )}
        </Group>
      </Group>
      <Stack component="ul" gap={6} p={0} m={0} mt="xs" style={{ listStyle: 'none' }}>
        {test.tests.map(({ name, channel }) => (
          <Group key={name} component="li" gap="sm" wrap="nowrap" align="start">
            <VerdictBadge verdict={lastVerdict(runs, { testId: test.id, name })} />
            <Text size="sm" style={{ overflowWrap: 'anywhere', minWidth: 0 }}>
              {name}
              {channel === 'voice' && (
                <Text span c="dimmed" inherit>
                  {' '}
                  <IconMicrophone size={14} style={{ verticalAlign: 'text-bottom' }} aria-hidden /> voice,
                  runs with parley test
                </Text>
              )}
            </Text>
          </Group>
        ))}
      </Stack>
    </Paper>
  )
}
