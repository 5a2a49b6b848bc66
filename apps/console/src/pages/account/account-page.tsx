import { Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useConsole } from '../../data/console-context'
import { PageFrame } from '../../parts/page-frame'
import { McpClients } from './mcp-clients'
import { NameForm } from './name-form'
import { PasswordForm } from './password-form'
import { SecondFactor } from './second-factor'
import { SignedInBrowsers } from './signed-in-browsers'

const elsewhere = 'Managed by your identity provider.'

export function AccountPage() {
  const { person } = useConsole()
  return (
    <PageFrame title="Account settings">
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md" verticalSpacing="md">
        <Stack>
          <Section title="Profile">
            <NameForm />
          </Section>
          <Section title="Password">
            {person.hasPassword ? <PasswordForm /> : <Text size="sm">{elsewhere}</Text>}
          </Section>
        </Stack>
        <Section title="Two-factor authentication">
          {person.hasPassword ? <SecondFactor /> : <Text size="sm">{elsewhere}</Text>}
        </Section>
      </SimpleGrid>
      <Section title="Active sessions">
        <SignedInBrowsers />
      </Section>
      <Section title="Connected MCP clients">
        <McpClients />
      </Section>
    </PageFrame>
  )
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Paper withBorder p="lg" bg="var(--parley-card)" component="section" aria-label={title}>
      <Title order={2} fz="md" mb="sm">
        {title}
      </Title>
      {children}
    </Paper>
  )
}
