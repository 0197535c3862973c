// What is said when nothing was sent: why, and what can be done about it. `refusal-…` by the code of the plan, `error-…` by the code of the parser.

export const refusals = {
  'not-connected':
    'Your account here is not connected to Ampersat yet, so there is nothing to show or spend. Send me /connect in our direct chat{$chat}: a wallet is all it takes.',
  'not-understood': 'I did not get that. Try “/tip @name 5”, or /help. Our direct chat: @{$bot}.',

  'refusal-sender_receive_only':
    'Your account here can receive but not spend yet: your wallet has not signed that right. Nothing was taken. Choose on the page below what I may spend.',
  'refusal-sender_disconnected':
    'Your account was disconnected, or may only receive now, so that tip was not sent. Nothing was taken.',
  'refusal-sender_no_wallet': 'Your account has no wallet for this chain yet. Nothing was taken.',
  'refusal-sender_not_on_chain':
    'Your wallet is a contract that has proven itself on {$where} only, so I spend nothing from its address on {$chain}. Nothing was taken. Leave the chain out, or name one of those.',
  'refusal-sender_paused': 'Your spending is paused, so nothing was taken. Only your wallet can resume it.',
  'refusal-expired': 'That took too long, so it was not sent. Nothing was taken; type it again.',
  'refusal-price_stale':
    'I have no fresh price for that asset right now, and I do not guess. Nothing was taken; try USDC, or again in a few minutes.',
  'refusal-router_paused': 'Payments are paused for the moment. Nothing was taken; try again later.',
  'refusal-recipient_unknown':
    'I do not know {$label} yet: nobody of that name has written where I am. Nothing was taken for them. You can keep it for that name on a page, or answer one of their messages with /tip and an amount.',
  'refusal-recipient_bot': '{$label} is a bot; bots cannot be tipped.',
  'refusal-handle_not_found': 'There is no {$label}. Check the spelling.',
  'refusal-recipient_no_wallet': '{$label} has no wallet for this chain yet. Nothing was taken for them.',
  'refusal-recipient_not_on_chain':
    '{$label} can be paid on {$where} only, so nothing went out on {$chain} and nothing was taken. Leave the chain out, or name that one.',
  'refusal-recipient_contract':
    '{$label} is a contract that nothing comes out of again, so I send nothing there. Check the address.',
  'refusal-recipient_twice': '{$label} is somebody that you named already; they were counted once.',
  'refusal-recipient_self': '{$label} is you: you cannot tip yourself.',
  'refusal-chain_not_served': '{$chain} is not served here at the moment. Leave the chain out, or name another one.',
  'refusal-asset_not_on_chain': '{$asset} does not live on {$chain}. Leave the chain out, or name another one.',
  'refusal-amount_too_small': 'That is too little: the least is {$least} {$asset}.',
  'refusal-tab_too_small':
    'That is too little for somebody new: what waits for {$label} has to be {$least} USD at least. Nothing was taken for them.',
  'refusal-command_cap':
    'That is {$total} USD with the fee; your cap for one command is {$cap} USD. Nothing was taken. Tip less.',
  'refusal-server_cap':
    'That is {$total} USD with the fee; the admins of this server allow {$cap} USD for one command. Nothing was taken. Tip less.',
  'refusal-day_cap':
    'That is {$total} USD with the fee, and {$left} USD are left of your {$cap} USD for 24 hours. Nothing was taken. Tip less, or later.',
  'refusal-balance_low':
    'Your balance on {$chain} is {$have} {$asset}; this tip needs {$need} with the fee. Top up or tip less.',
  'refusal-allowance_low':
    'Your wallet lets me spend {$have} {$asset} more on {$chain}; this tip needs {$need} with the fee. Raise the allowance with your wallet, or tip less.',
  'refusal-limit_per_tip':
    'Your wallet set a limit of {$limit} {$asset} for one tip on {$chain}; this one needs {$need} with the fee. Tip less, or raise the limit with your wallet.',
  'refusal-limit_per_day':
    'Of your limit for 24 hours on {$chain}, {$limit} {$asset} are left; this tip needs {$need} with the fee. Tip less, or later.',
  'refusal-limit_fee':
    'The fee of {$need} {$asset} is above the {$limit} that your wallet allows on {$chain}. Nothing was taken.',
  'refusal-token_refused': 'The token on {$chain} refused the transfer (“{$text}”). Nothing was taken.',
  'refusal-chain_refused':
    'The payment was refused on {$chain} ({$reason}). Nothing was taken. Check /limits in our direct chat{$chat}.',

  'error-rate_limited': 'You have used your five tip commands of this hour. You can tip again {$when}.',
  'error-links_limited': 'That were many links for one hour. You can ask for the next one {$when}.',
  'in-minutes': `{$minutes ->
    [one] in a minute
   *[other] in {$minutes} minutes
  }`,
  'in-hours': `{$hours ->
    [one] in an hour
   *[other] in {$hours} hours
  }`,
  'error-server_off':
    'The admins of this server have switched tipping off here. Nothing was taken. It works in our direct chat.',
  'error-server_channel': 'In this server tips are sent from {$where} only. Nothing was taken.',
  'error-too_old':
    'That message reached me more than 10 minutes late, so I did nothing. Type it again if you still want it.',
  'error-amount_missing': 'How much? Try “/tip @name 5”.',
  'error-amount_invalid': 'I could not read the amount. Use plain digits, like 5 or 2.50.',
  'error-amount_ambiguous':
    'I can read the amount in two ways. Type “1000” for a thousand or “1.0” for one, and put “for” before a note.',
  'error-amount_zero': 'Zero moves nothing. The least is 0.01.',
  'error-amount_too_small': 'That is too little: the least is 0.01 USD.',
  'error-amount_too_large': 'That is more than I can send.',
  'error-too_many_decimals': 'That has more decimals than this currency. USDC has six.',
  'error-recipient_missing': 'Who gets it? Name somebody, like “/tip @name 5”, or answer their message with “/tip 5”.',
  'error-recipient_invalid': 'I could not make out who gets it. Name them with @, or answer one of their messages.',
  'error-recipient_self': 'You cannot tip yourself.',
  'error-recipient_bot': 'Bots cannot be tipped.',
  'error-too_many_recipients': 'That is too many people for one command: 20 at most, 10 on X, and one with “send”.',
  'error-mass_mention': 'I do not tip everyone at once. Name the people.',
  'error-role_recipient': 'A role cannot be tipped. Name the people.',
  'error-multiple_commands': 'One command a message, please. Nothing was taken.',
  'error-unsupported_token': 'I do not know that token. I can send USDC and the chains’ own coins: ETH, BNB, CELO.',
  'error-unsupported_currency': 'I only count in US dollars. Type the amount in USD or USDC.',
  'error-unsupported_chain': 'I do not know that chain. I know Base, BSC, Ink, Celo and Solana.',
  'error-address_checksum': 'There is a typing mistake in that address. Copy it again.',
  'error-split_mismatch': 'The parts do not add up to the whole. Nothing was taken.',
  'error-suspicious_unicode': 'There are hidden characters in that message. Type it by hand.',
  'error-pending_limited':
    'I keep one tip a day for somebody who is not connected yet. Connect here with /connect, or try again {$when}. Nothing was taken.',
} as const;
