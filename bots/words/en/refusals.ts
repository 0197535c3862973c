// What is said when nothing was sent: why, and what to do next. `refusal-…` by the code of the plan, `error-…` by the code of the parser;
// `-word` where the error has the word at which reading stopped, and a platform's name where it needs a sentence of its own.

export const refusals = {
  'not-connected': 'Connect your wallet first. It takes a minute.',
  'not-understood': 'Sorry, I didn’t get that. Try {$tip} or {$help}.',

  'refusal-sender_receive_only': 'You can receive, but not send yet. Set a spending limit first.',
  'refusal-sender_disconnected': 'This account can’t send anymore, so you weren’t charged. Connect it again to send.',
  'refusal-sender_no_wallet': 'You don’t have a wallet for this network yet.',
  'refusal-sender_not_on_chain': 'Your smart wallet is only set up on {$where}, so I can’t send on {$chain}.',
  'refusal-sender_paused': 'Your spending is off. Only your wallet can turn it back on.',
  'refusal-expired': 'That took too long, so it wasn’t sent and you weren’t charged. Type it again.',
  'refusal-price_stale': 'I don’t have a fresh price for that right now. Try USDC, or try again in a few minutes.',
  'refusal-router_paused': 'Payments are paused right now. Try again later.',
  'refusal-plan_failed': 'Sorry, I can’t send that. You weren’t charged.',
  'refusal-recipient_unknown': 'I haven’t met {$label} yet. You can {$reply}.',
  'recipient-unknown-hold': 'I haven’t met {$label} yet. You can {$reply}, or hold the money for them.',
  'refusal-recipient_bot': '{$label} is a bot. Bots can’t be tipped.',
  'refusal-handle_not_found': 'There’s no {$label}. Check the spelling.',
  'refusal-recipient_no_wallet': '{$label} doesn’t have a wallet for this network yet.',
  'refusal-recipient_unopened':
    '{$label} has no account for this on {$chain} yet, and I’ve opened as many new ones for you as I can this month. They can open one by receiving something else first.',
  'refusal-recipient_unopened_small':
    '{$label} has no account for this on {$chain} yet. From {$least} I can keep it for them until they claim it.',
  'refusal-recipient_not_on_chain': '{$label} can be paid on {$where}, but not on {$chain}.',
  'refusal-recipient_contract': '{$label} is a contract that can’t send money on. Check the address.',
  'refusal-recipient_twice': 'You named {$label} twice. They’re paid once.',
  'refusal-recipient_self': '{$label} is you. You can’t tip yourself.',
  'refusal-chain_not_served': '{$chain} isn’t available here. I can send on {$chains}.',
  'refusal-asset_not_on_chain': '{$asset} isn’t available on {$chain}. Leave the network out, or send USDC.',
  'refusal-asset_not_served': '{$asset} isn’t available here. I can send {$assets}.',
  'refusal-address_other_family': '{$label} belongs to another kind of network. I can send to addresses on {$chains}.',
  'refusal-amount_too_small': 'The minimum is {$least}.',
  'refusal-tab_too_small': 'The minimum for someone new is {$least}, and {$label} isn’t connected yet.',
  'refusal-command_cap': 'Your limit per command is {$cap}. This is {$total} with the fee.',
  'refusal-server_cap': 'The limit per command in this server is {$cap}. This is {$total} with the fee.',
  'refusal-day_cap': 'You have {$left} of your {$cap} left today. This is {$total} with the fee.',
  'refusal-balance_low': 'Your balance on {$chain} is {$have}. You need {$need} with the fee.',
  'refusal-allowance_low': 'Your wallet lets me send {$have} more on {$chain}. You need {$need} with the fee.',
  'refusal-limit_per_tip': 'Your limit per tip on {$chain} is {$limit}. You need {$need} with the fee.',
  'refusal-limit_per_day': 'You have {$limit} left today on {$chain}. You need {$need} with the fee.',
  'refusal-limit_fee': 'The fee is {$need}. Your limit for a fee on {$chain} is {$limit}.',
  'refusal-bridge_away':
    'Your money is on {$from}, and the bridge to {$chain} isn’t answering. You weren’t charged. Try again in a few minutes.',
  'refusal-bridge_fee':
    'Your money is on {$from}, and the bridge to {$chain} is too expensive right now. You weren’t charged. Try again later.',
  'refusal-not_bridged':
    'Your money is on {$from}, and tips can’t cross from there to {$chain}. You weren’t charged. Send on {$from}, or add money on {$chain}.',
  'refusal-token_refused': 'The currency on {$chain} refused this payment (“{$text}”). You weren’t charged.',
  'refusal-chain_refused': '{$chain} refused this payment ({$reason}), so you weren’t charged. Check your limits.',

  'error-rate_limited': 'That was your fifth tip this hour. Try again {$when}.',
  'error-links_limited': 'You’ve asked for a lot of links. Try again {$when}.',
  'in-minutes': `{$minutes ->
    [one] in a minute
   *[other] in {$minutes} minutes
  }`,
  'in-hours': `{$hours ->
    [one] in an hour
   *[other] in {$hours} hours
  }`,
  'error-server_off': 'Tips are switched off in this server. You can still send them in our direct chat.',
  'error-server_channel': 'In this server, tips work in {$where}.',
  'error-too_old':
    'Your message reached me more than 10 minutes late, so I did nothing. Type it again if you still want it.',
  'error-amount_missing': 'How much? Try {$tip}.',
  'error-amount_invalid': 'I couldn’t read the amount. Try {$tip}.',
  'error-amount_invalid-word': 'I couldn’t read “{$word}” as an amount. Try {$tip}.',
  'error-amount_ambiguous':
    'I wasn’t sure about the amount. Type 1000 for a thousand, 1.0 for one, and “for” before a note.',
  'error-amount_ambiguous-word':
    'I wasn’t sure about “{$word}”. Type 1000 for a thousand, 1.0 for one, and “for” before a note.',
  'error-amount_zero': 'The minimum is {$least}.',
  'error-amount_too_small': 'The minimum is {$least}.',
  'error-amount_too_large': 'That’s more than I can send.',
  'error-too_many_decimals': 'That’s too many decimals. USDC has six.',
  'error-recipient_missing': 'Who is it for? Try {$tip}, or {$reply}.',
  'error-recipient_missing-x': 'Who is it for? Try {$tip}.',
  'error-recipient_invalid': 'I couldn’t tell who it’s for. Try {$tip}.',
  'error-recipient_invalid-word': 'I couldn’t tell who “{$word}” is. Try {$tip}.',
  'error-recipient_pronoun': 'In a reply, “tip 5” is enough. You don’t need to name them.',
  'error-recipient_self': 'You can’t tip yourself.',
  'error-recipient_bot': 'Bots can’t be tipped.',
  'error-recipient_channel': 'That was posted as a channel, so I can’t tell whose it is. Name the person: {$tip}.',
  'error-too_many_recipients': 'That’s too many people. A command takes {$most} at most, and “send” takes one.',
  'error-mass_mention': 'I can’t tip everyone at once. Name each person.',
  'error-role_recipient': 'A role can’t be tipped. Name each person.',
  'error-multiple_commands': 'One command per message, please.',
  'error-split_mismatch': 'The parts don’t add up to the total.',
  'error-split_too_few': 'A split needs at least two people. For one, try {$tip}.',
  'error-address_in_tip': 'To pay an address, use {$send}.',
  'error-address_other_family':
    'That address belongs to another kind of network. I can send to addresses on {$chains}.',
  'error-address_checksum': 'There’s a typo in that address. Copy it again.',
  'error-ens_unsupported': 'I can’t read ENS names. Use the address: {$send}.',
  'error-ens_unsupported-word': 'I can’t read ENS names like “{$word}”. Use the address: {$send}.',
  'error-unsupported_token': 'I can’t send that. I can send {$assets}.',
  'error-unsupported_token-word': 'I can’t send “{$word}”. I can send {$assets}.',
  'error-unsupported_currency': 'Amounts are in US dollars here. Try {$tip}.',
  'error-unsupported_currency-word': 'I can’t send “{$word}”. Amounts are in US dollars here. Try {$tip}.',
  'error-unsupported_chain': 'I don’t know that network. I can send on {$chains}.',
  'error-unsupported_chain-word': 'I don’t know the network “{$word}”. I can send on {$chains}.',
  'error-suspicious_unicode': 'There are hidden characters in that message. Type it by hand.',
  'error-suspicious_unicode-word': 'There are hidden characters in “{$word}”. Type it by hand.',
  'error-pending_limited': 'I can save one tip a day until you connect. Connect now, or try again {$when}.',

  'page-resume': 'Only your wallet can turn spending back on. You can do it {$there}.',
  'page-refund': 'You can take back what hasn’t been claimed {$there}.',
  'page-settings': 'Your settings are {$there}.',
  'there-button': 'on this page',
  'there-profile': 'on the page in my profile',

  'button-change-limit': 'Change limit',
  'button-top-up': 'Top up',
  'button-resume': 'Resume',
  'button-refund': 'What you sent',
  'button-page': 'Switch on your page',
  'button-more': 'How it works',
} as const;
