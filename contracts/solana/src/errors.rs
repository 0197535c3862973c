//! The program's errors: custom error codes with the sentence that clients show for each.

use core::num::NonZeroU64;

macro_rules! errors {
    ($($(#[doc = $text:literal])+ $name:ident = $code:literal;)*) => {
        $($(#[doc = $text])+ pub const $name: Error = Error(NonZeroU64::new($code).unwrap());)*
    };
}

/// A custom error code of the program, or what a call to another program failed with. It is never zero, so that a result fits a register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Error(pub NonZeroU64);

pub type Result<T> = core::result::Result<T, Error>;

errors! {
    /// The instruction is unknown, or its arguments have another length.
    INVALID_INSTRUCTION = 6000;
    /// The number of accounts is another one.
    WRONG_ACCOUNTS = 6001;
    /// A signature is missing.
    MISSING_SIGNATURE = 6002;
    /// An account belongs to another program, or is of another kind.
    WRONG_KIND = 6004;
    /// An account has another address than its terms give it.
    WRONG_ADDRESS = 6005;
    /// A token account is of another mint.
    WRONG_MINT = 6006;
    /// A token account belongs to another wallet.
    WRONG_TOKEN_OWNER = 6007;
    /// The account exists already.
    EXISTS = 6008;
    /// A sum does not fit 64 bits.
    OVERFLOW = 6009;

    /// Only the owner may do this.
    NOT_OWNER = 6010;
    /// Only the proposed owner may do this.
    NOT_PROPOSED = 6011;
    /// Only the guardian or the owner may do this.
    NOT_GUARDIAN = 6012;
    /// The signer is not an executor, or not yet.
    NOT_EXECUTOR = 6013;
    /// The signer is not the handle authority.
    NOT_AUTHORITY = 6014;
    /// One key would hold two roles, or a role would be the zero key.
    ROLES_NOT_DISTINCT = 6015;
    /// There are eight executors already.
    TOO_MANY_EXECUTORS = 6016;
    /// The key is no executor.
    UNKNOWN_EXECUTOR = 6017;
    /// Nothing is announced.
    NOTHING_ANNOUNCED = 6018;
    /// The delay is not over.
    TOO_EARLY = 6019;
    /// New work is paused.
    PAUSED = 6020;
    /// A pause lasts 1 second to 72 hours.
    INVALID_PAUSE = 6021;
    /// Work has to run as long as the last pause lasted.
    PAUSE_TOO_SOON = 6022;
    /// Only the program's upgrade authority may initialize it.
    NOT_UPGRADE_AUTHORITY = 6023;
    /// The number of shards cannot be changed like this now.
    INVALID_SHARDS = 6024;
    /// The rent sysvar has a threshold that the program does not know.
    UNSUPPORTED_RENT = 6025;

    /// The instruction was to take effect earlier.
    EXPIRED = 6030;
    /// The message is older than 24 hours.
    MESSAGE_TOO_OLD = 6031;
    /// The message is more than 10 minutes ahead of the chain's clock.
    MESSAGE_AHEAD = 6032;
    /// The message was processed before.
    ALREADY_PROCESSED = 6033;
    /// The bucket has no slot for this key, or would grow by too much in one instruction.
    BUCKET_FULL = 6034;
    /// The bucket is of another hour or shard than the message.
    WRONG_BUCKET = 6035;
    /// The bucket is not 25 hours old.
    BUCKET_IN_USE = 6036;
    /// The message key cannot be used.
    INVALID_KEY = 6037;

    /// The amount and fee exceed the sender's limit per tip.
    LIMIT_PER_TIP = 6040;
    /// The amount and fee exceed what is left of the sender's limit per 24 hours.
    LIMIT_PER_DAY = 6041;
    /// The fee exceeds the sender's limit.
    LIMIT_FEE = 6042;
    /// An executor may not raise a limit.
    LIMIT_RAISED = 6043;
    /// The sender is paused.
    SENDER_PAUSED = 6044;
    /// The token account does not have the spender as its delegate.
    NOT_APPROVED = 6045;
    /// The approved amount is too low.
    ALLOWANCE_TOO_LOW = 6046;
    /// The balance is too low.
    BALANCE_TOO_LOW = 6047;
    /// A token account is frozen.
    ACCOUNT_FROZEN = 6048;
    /// The amount is zero.
    ZERO_AMOUNT = 6049;
    /// The recipient cannot be paid.
    INVALID_RECIPIENT = 6050;
    /// Something counts against the limits still.
    LIMITS_IN_USE = 6051;
    /// The asset is not one of this instruction.
    UNSUPPORTED_ASSET = 6052;

    /// No tab is open at this address: it was claimed or refunded, or never opened.
    TAB_NOT_OPEN = 6060;
    /// The deadline is not 1 hour to 90 days ahead (a tab), or more than 366 days (an order, a campaign).
    INVALID_DEADLINE = 6061;
    /// The attestation is longer than 10 minutes.
    ATTESTATION_TOO_LONG = 6062;
    /// The tab cannot be refunded yet.
    NOT_REFUNDABLE = 6063;
    /// The nonce does not rise, or lies too far ahead.
    INVALID_NONCE = 6064;
    /// The account does not return its rent to this address.
    WRONG_RENT_ADDRESS = 6065;

    /// The order is paid already.
    ALREADY_SETTLED = 6070;
    /// The order is not paid.
    NOT_SETTLED = 6071;
    /// Only the payee may do this.
    NOT_PAYEE = 6072;
    /// The refunds would exceed what was paid.
    REFUND_TOO_LARGE = 6073;
    /// The deposit holds less than the amount.
    DEPOSIT_INCOMPLETE = 6074;
    /// The deposit covers the amount in time: sweep it.
    DEPOSIT_COVERED = 6075;
    /// The order cannot be closed yet.
    ORDER_OPEN = 6076;

    /// The plan is not active.
    PLAN_INACTIVE = 6081;
    /// Only the plan's creator may do this.
    NOT_CREATOR = 6082;
    /// Only the subscriber or the plan's creator may do this.
    NOT_SUBSCRIBER_OR_CREATOR = 6083;
    /// A period is 1 hour to 366 days.
    INVALID_PERIOD = 6084;
    /// The plan has another amount or period.
    TERMS_MISMATCH = 6085;
    /// The wallet is subscribed already.
    ALREADY_SUBSCRIBED = 6086;
    /// The subscription is not active.
    NOT_ACTIVE = 6087;
    /// The next charge is not due.
    TOO_SOON = 6088;
    /// The plan or the account is in another state.
    INVALID_STATE = 6089;

    /// The campaign is closed.
    CAMPAIGN_CLOSED = 6091;
    /// The grants would exceed the campaign's total.
    CAMPAIGN_EXHAUSTED = 6092;
    /// The amount exceeds the campaign's most per grant.
    GRANT_TOO_LARGE = 6093;
    /// The recipient has a grant of this campaign.
    ALREADY_GRANTED = 6094;
    /// The campaign has fewer recipients.
    UNKNOWN_RECIPIENT = 6095;
    /// Only the sponsor or an executor may do this.
    NOT_SPONSOR_NOR_EXECUTOR = 6096;
    /// The campaign has not expired.
    CAMPAIGN_OPEN = 6097;
}
