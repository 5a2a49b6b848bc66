import { Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import type { Agent, AgentTest } from '@parley/sdk'
import { IconPlayerPlay, IconPlus, IconTestPipe } from '@tabler/icons-react'
import { useState } from 'react'
import { useConsole } from '../../../data/console-context'
import { useChange } from '../../../data/use-change'
import { AgentSelect } from '../../../parts/agent-select'
import { EmptyState } from '../../../parts/empty-state'
import { ErrorNotice } from '../../../parts/error-notice'
import { TestCard } from './test-card'
import { TestDrawer } from './test-drawer'
import { TestResults } from './test-results'
import { useTestRuns, useTests } from './use-tests'

interface TestsTabProps {
  readonly agent: Agent
  readonly isDirty: boolean
  readonly isReadOnly: boolean
}

/** The tests of an agent, and the results of their runs. */
export function TestsTab({ agent, isDirty, isReadOnly }: TestsTabProps) {
  const { parley, may } = useConsole()
  const tests = useTests(agent.id)
  const runs = useTestRuns(agent.id)
  const [opened, setOpened] = useState<AgentTest | 'new' | null>(null)
  const [judge, setJudge] = useState<string | null>(null)
  const start = useChange({
    change: (testIds: readonly string[] | null) =>
      parley.agentTestRuns.start(agent.id, { testIds: testIds && [...testIds], judgeAgentId: judge }),
    changes: ['AgentTestRun'],
  })
  const error = tests.error ?? runs.error
  if (error !== null && (tests.data === undefined || runs.data === undefined))
    return <ErrorNotice error={error} onRetry={() => void Promise.all([tests.refetch(), runs.refetch()])} />
  if (tests.data === undefined || runs.data === undefined)
    return (
      <Stack maw="62rem" aria-hidden>
        <Skeleton h={36} />
        <Skeleton h={90} />
        <Skeleton h={90} />
      </Stack>
    )
  const isRunning = runs.data[0]?.state === 'running'
  const mayRun = !isReadOnly && may('question:ask')
  const add = !isReadOnly && (
    <Button variant="default" leftSection={<IconPlus size={16} />} onClick={() => setOpened('new')}>
      New test
    </Button>
  )
  return (
    <Stack maw="62rem">
      {tests.data.length === 0 ? (
        <EmptyState icon={IconTestPipe} title="No tests yet" action={add}>
          A test says what a user asks and what you expect of the answer. You can also add a conversation as a
          test.
        </EmptyState>
      ) : (
        <>
          <Group justify="space-between">
            <Text size="sm" c="dimmed" maw="34rem">
              Tests never call real tools.{isDirty && ' They use the saved agent, without your changes.'}
            </Text>
            <Group gap="xs">
              {add}
              {mayRun && (
                <Button
                  leftSection={<IconPlayerPlay size={16} />}
                  loading={start.isPending}
                  disabled={isRunning}
                  onClick={() => start.mutate(null)}
                >
                  Run all
                </Button>
              )}
            </Group>
          </Group>
          {mayRun && tests.data.some(needsHelper) && (
            <AgentSelect
              label="Judge and simulated user"
              placeholder="None: tests that need one are not run"
              value={judge}
              onChange={setJudge}
            />
          )}
          <Stack component="ul" gap="sm" p={0} m={0} style={{ listStyle: 'none' }}>
            {tests.data.map((test) => (
              <TestCard
                key={test.id}
                test={test}
                runs={runs.data}
                isReadOnly={isReadOnly}
                onOpen={() => setOpened(test)}
                onRun={mayRun && !isRunning ? () => start.mutate([test.id]) : null}
              />
            ))}
          </Stack>
        </>
      )}
      <TestResults runs={runs.data} isReadOnly={isReadOnly} />
      {opened !== null && (
        <TestDrawer
          agent={agent}
          test={opened === 'new' ? null : opened}
          isReadOnly={isReadOnly}
          onClose={() => setOpened(null)}
          onSaved={() => setOpened(null)}
        />
      )}
    </Stack>
  )
}

/** Whether a model must judge the test or play its user. */
const needsHelper = ({ definition }: AgentTest) => /\b(?:judge|goal)["']?\s*:/.test(definition)
