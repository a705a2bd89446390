-- Channels that are remembered know their number: by it alone a linked number sends. A change of it is told as any other.

drop trigger channel_changed on channel;
create trigger channel_changed
  after update of provider_route, provider_account, display_number, is_simulated, credentials, settings, deleted_at
    on channel
  for each row execute function tell_of_changed_channel();
