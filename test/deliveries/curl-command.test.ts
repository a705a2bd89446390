import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { curlCommand } from '../../src/rules/deliveries/curl-command.ts'

const delivery = {
  url: "https://shop.example/in'box?token=very-secret&flag",
  eventType: 'ping',
  deliveryId: '01890000-0000-7000-8000-000000000000',
  body: `{"message":"it's $HOME \`id\` مرحبا \\n"}`,
}

test('the command passes the unchanged body to a shell, and no value of the query', () => {
  const command = curlCommand(delivery)
  expect(command).not.toContain('very-secret')
  // The shell parses the arguments, which `printf` prints instead of curl.
  const shown = execFileSync('sh', ['-c', command.replace(/^curl/, String.raw`printf '%s\0'`)])
  const words = shown.toString('utf8').split('\0')
  expect(words).toEqual([
    '--request',
    'POST',
    "https://shop.example/in'box?token=VALUE&VALUE",
    '--header',
    'content-type: application/json; charset=utf-8',
    '--header',
    'user-agent: Service-Webhooks/1.0',
    '--header',
    'x-service-event: ping',
    '--header',
    `x-service-delivery: ${delivery.deliveryId}`,
    '--header',
    'x-service-signature: t=UNIX_SECONDS,v1=SIGNATURE',
    '--data-binary',
    delivery.body,
    '',
  ])
})

test.each([
  ['https://shop.example/in', 'https://shop.example/in'],
  ['https://shop.example/in?to=a?b&token=c', 'https://shop.example/in?to=VALUE&token=VALUE'],
])('the command for %s posts to %s', (url, shown) => {
  expect(curlCommand({ ...delivery, url })).toContain(`--request POST '${shown}' `)
})
