import { PageFrame } from '../../parts/page-frame'

export function ConversationPage() {
  return <PageFrame title="Conversation">{null}</PageFrame>
}
