import { Paper, SimpleGrid, Stack, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { PageFrame } from '../../parts/page-frame'
import { NameForm } from './name-form'
import { PasswordForm } from './password-form'
import { SecondFactor } from './second-factor'
import { SignedInBrowsers } from './signed-in-browsers'

/** What a person does for themselves. */
export function AccountPage() {
  return (
    <PageFrame title="Your account">
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md" verticalSpacing="md">
        <Stack>
          <Section title="Name">
            <NameForm />
          </Section>
          <Section title="Password">
            <PasswordForm />
          </Section>
        </Stack>
        <Section title="Second factor">
          <SecondFactor />
        </Section>
      </SimpleGrid>
      <Section title="Where you are signed in">
        <SignedInBrowsers />
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
