import { PageHeader } from '../../parts/Page.tsx'

export function HookPage() {
  return <PageHeader title="" />
}
