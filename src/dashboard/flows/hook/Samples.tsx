import { Tabs } from '@mantine/core'
import { CodeBlock } from '../../parts/Code.tsx'
import { SAMPLES, sampleOf } from './samples.ts'

/** A sample request to copy, in several languages. */
export function Samples({ url }: { url: string | null }) {
  return (
    <Tabs defaultValue={SAMPLES[0]!} keepMounted={false}>
      <Tabs.List>
        {SAMPLES.map((kind) => (
          <Tabs.Tab key={kind} value={kind}>
            {kind}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {SAMPLES.map((kind) => (
        <Tabs.Panel key={kind} value={kind} pt={8}>
          <CodeBlock label={kind} code={sampleOf(kind, url)} />
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}
