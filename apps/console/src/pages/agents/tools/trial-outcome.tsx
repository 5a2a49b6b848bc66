import { Badge, Code, Group, Paper, Stack, Text } from '@mantine/core'
import type { ToolTrial } from '@parley/sdk'

interface TrialOutcomeProps {
  readonly trial: ToolTrial
  readonly isDry: boolean
}

export function TrialOutcome({ trial, isDry }: TrialOutcomeProps) {
  const { isSuccess, output, request, executionTimeSeconds } = trial
  return (
    <Paper withBorder p="md" component="section" aria-label="Result">
      <Stack gap="sm">
        <Group>
          <Badge variant="light" color={isSuccess ? 'green' : 'red'}>
            {outcomeLabel(isSuccess, isDry)}
          </Badge>
          {!isDry && (
            <Text size="sm" c="dimmed" data-figures>
              {executionTimeSeconds.toLocaleString(undefined, { maximumFractionDigits: 3 })} s
            </Text>
          )}
        </Group>
        {request !== null && (
          <Part title={isDry ? 'Request (not sent)' : 'Request'}>
            {[`${request.method} ${request.url}`, request.body === null ? '' : pretty(request.body)]
              .filter((part) => part !== '')
              .join('\n\n')}
          </Part>
        )}
        <Part title={isDry || !isSuccess ? 'Details' : 'Tool output'}>{pretty(output)}</Part>
      </Stack>
    </Paper>
  )
}

function outcomeLabel(isSuccess: boolean, isDry: boolean): string {
  if (!isSuccess) return isDry ? 'Would be rejected' : 'Failed'
  return isDry ? 'Would be called' : 'Succeeded'
}

function Part({ title, children }: { readonly title: string; readonly children: string }) {
  return (
    <div>
      <Text size="xs" c="dimmed" mb={4}>
        {title}
      </Text>
      <Code
        block
        tabIndex={0}
        style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', maxHeight: '24rem', overflow: 'auto' }}
      >
        {children}
      </Code>
    </div>
  )
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
