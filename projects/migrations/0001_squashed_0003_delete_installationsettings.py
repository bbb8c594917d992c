import django.core.validators
import django.db.models.deletion
import projects.models
from django.conf import settings
from django.db import migrations, models


# Nothing in the audit log changes. A row goes only where another one says that rows of its time are removed.
TABLE = "projects_auditentry"
REFUSED = "The audit log is append-only."
SQLITE = (
    f"CREATE TRIGGER audit_update BEFORE UPDATE ON {TABLE} BEGIN SELECT RAISE(ABORT, '{REFUSED}'); END",
    f"CREATE TRIGGER audit_delete BEFORE DELETE ON {TABLE} "
    f"WHEN NOT EXISTS (SELECT 1 FROM {TABLE} WHERE pruned_before > OLD.at) "
    f"BEGIN SELECT RAISE(ABORT, '{REFUSED}'); END",
    # INSERT OR REPLACE deletes without running the trigger above.
    f"CREATE TRIGGER audit_replace BEFORE INSERT ON {TABLE} "
    f"WHEN EXISTS (SELECT 1 FROM {TABLE} WHERE id = NEW.id) BEGIN SELECT RAISE(ABORT, '{REFUSED}'); END",
)
POSTGRESQL = (
    "CREATE FUNCTION audit_append_only() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
    f"IF TG_OP = 'DELETE' AND EXISTS (SELECT 1 FROM {TABLE} WHERE pruned_before > OLD.at) "
    f"THEN RETURN OLD; END IF; RAISE EXCEPTION '{REFUSED}' USING ERRCODE = 'integrity_constraint_violation'; "
    "END $$",
    f"CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE ON {TABLE} "
    "FOR EACH ROW EXECUTE FUNCTION audit_append_only()",
)


def make_append_only(apps, schema_editor):
    for statement in SQLITE if schema_editor.connection.vendor == "sqlite" else POSTGRESQL:
        schema_editor.execute(statement, params=None)


class Migration(migrations.Migration):

    initial = True

    replaces = [('projects', '0001_initial'), ('projects', '0003_delete_installationsettings')]

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        # Steps of others that change the user: after ours, each would load all of our models again.
        ("auth", "0012_alter_user_first_name_max_length"),
        ("mfa", "0003_authenticator_type_uniq"),
        ("socialaccount", "0006_alter_socialaccount_extra_data"),
        ("usersessions", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name='AuditEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(auto_now_add=True, db_index=True)),
                ('event', models.CharField(db_index=True, help_text='Kind of event.', max_length=40)),
                ('actor_id', models.BigIntegerField(db_index=True, help_text='Number of the account.', null=True)),
                ('actor', models.CharField(blank=True, help_text='User name; empty for a command and for people who are not logged in.', max_length=150)),
                ('project_id', models.BigIntegerField(db_index=True, help_text='Number of the project.', null=True)),
                ('project', models.CharField(blank=True, help_text='Short name of the project in addresses; empty: accounts and the installation.', max_length=60)),
                ('target', models.CharField(blank=True, max_length=200)),
                ('details', models.JSONField(default=dict)),
                ('address', models.CharField(blank=True, help_text='IPv4 address or IPv6 /64 network of the request.', max_length=64)),
                ('request_id', models.CharField(blank=True, max_length=64)),
                ('pruned_before', models.DateTimeField(db_index=True, null=True)),
            ],
            options={
                'verbose_name_plural': 'audit entries',
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='LoginCount',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=64, unique=True)),
                ('failures', models.PositiveIntegerField(default=0, help_text='Logins that are being checked included')),
                ('last_at', models.DateTimeField(db_index=True, help_text='When the last login was tried')),
            ],
        ),
        migrations.CreateModel(
            name='Project',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(max_length=60, unique=True)),
                ('name', models.CharField(max_length=120)),
                ('language', models.CharField(default='en', help_text='BCP 47 tag of the text, such as en, de or pt-BR.', max_length=35, validators=[django.core.validators.RegexValidator('\\A[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*\\Z', 'This is not a language tag. Write one such as en, de or pt-BR.')])),
                ('second_language', models.CharField(blank=True, help_text='Language of the second sentence of each pair, such as fr, for translations; empty for sentences in one language.', max_length=35)),
                ('scheme', models.CharField(choices=[('binary', 'Binary: paraphrase or not'), ('three_way', 'Three-way: paraphrase, partial paraphrase, unrelated')], default='binary', max_length=12, verbose_name='judging scheme')),
                ('overlap', models.PositiveSmallIntegerField(default=2, help_text='How many annotators judge each pair: 1 to 20.', validators=[projects.models.Within(1, 20, 'Each pair is judged by 1 to 20 people.')])),
                ('gold_rule', models.CharField(choices=[('disagreement_negative', 'Disagreement counts as not a paraphrase'), ('majority', 'Majority; a tie counts as not a paraphrase'), ('adjudicated', 'Adjudicated where people disagree')], default='disagreement_negative', help_text="Determines the gold label from a pair's judgements.", max_length=24)),
                ('count_phenomena', models.CharField(choices=[('none', 'in no pair'), ('paraphrases', 'in paraphrases and partial paraphrases'), ('every_pair', 'in every pair, as table 2 of Dolan et al. (2004)')], default='none', help_text='In which pairs annotators count elaborations, synonyms and the like. It applies to new batches and can be changed in each.', max_length=11)),
                ('held_out_share', models.FloatField(default=0.0, help_text='Share of the clusters that are kept for testing: 0 to 0.9.', validators=[projects.models.Within(0, 0.9, 'The share is from 0 (none) to 0.9.')], verbose_name='held-out share')),
                ('seed', models.PositiveIntegerField(default=1, help_text='Determines which clusters are held out.')),
                ('near_duplicate_share', models.FloatField(blank=True, help_text='Leaves out, at import, articles that have this share of text in common with another of their cluster: 0.1 to 1, such as 0.8. Empty: leaves out none.', null=True, validators=[projects.models.Within(0.1, 1, 'The share is from 0.1 to 1; empty for none.')], verbose_name='leave out near duplicates')),
                ('guidelines', models.TextField(blank=True, help_text='What counts as a paraphrase, in Markdown. Annotators see it beside every pair.')),
                ('guidelines_version', models.PositiveIntegerField(default=1, editable=False, help_text='Counts the changes of the guidelines, from 1.')),
                ('licence', models.CharField(blank=True, help_text='SPDX identifier of the licence of exported data sets, such as CC-BY-4.0. Each export can name another.', max_length=200)),
                ('authors', models.TextField(blank=True, help_text='Authors of published data sets, one per line: family name, given names, or an organisation.')),
                ('contact', models.CharField(blank=True, help_text='Printed in the data card, such as an e-mail address.', max_length=200)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('staging', models.BooleanField(default=False, help_text='Contains the hidden rows of an unfinished import')),
                ('deleted_at', models.DateTimeField(editable=False, null=True)),
                ('created_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('deleted_by', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['name'],
                'constraints': [models.CheckConstraint(condition=models.Q(('second_language', models.F('language')), _negated=True), name='project_two_languages'), models.CheckConstraint(condition=models.Q(('overlap__gte', 1), ('overlap__lte', 20)), name='project_overlap'), models.CheckConstraint(condition=models.Q(('held_out_share__gte', 0), ('held_out_share__lte', 0.9)), name='project_held_out'), models.CheckConstraint(condition=models.Q(('near_duplicate_share', None), models.Q(('near_duplicate_share__gte', 0.1), ('near_duplicate_share__lte', 1)), _connector='OR'), name='project_near_duplicates'), models.CheckConstraint(condition=models.Q(('scheme__in', ['binary', 'three_way'])), name='project_scheme'), models.CheckConstraint(condition=models.Q(('gold_rule__in', ['disagreement_negative', 'majority', 'adjudicated'])), name='project_gold_rule'), models.CheckConstraint(condition=models.Q(('count_phenomena__in', ['none', 'paraphrases', 'every_pair'])), name='project_count_phenomena')],
            },
        ),
        migrations.CreateModel(
            name='Membership',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('manager', 'Manager'), ('adjudicator', 'Adjudicator'), ('annotator', 'Annotator'), ('viewer', 'Viewer')], max_length=12)),
                ('guidelines_version', models.PositiveIntegerField(default=1, help_text='Of an annotator: the version of the guidelines that was confirmed last.')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to=settings.AUTH_USER_MODEL)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to='projects.project')),
            ],
            options={
                'ordering': ['user__username', 'role'],
                'constraints': [models.UniqueConstraint(fields=('project', 'user', 'role'), name='membership_unique'), models.CheckConstraint(condition=models.Q(('role__in', ['manager', 'adjudicator', 'annotator', 'viewer'])), name='membership_role')],
            },
        ),
        migrations.CreateModel(
            name='Invitation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('manager', 'Manager'), ('adjudicator', 'Adjudicator'), ('annotator', 'Annotator'), ('viewer', 'Viewer')], max_length=12)),
                ('uses_left', models.PositiveSmallIntegerField()),
                ('expires_at', models.DateTimeField()),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('created_by', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='invitations', to='projects.project')),
            ],
            options={
                'ordering': ['-id'],
                'constraints': [models.CheckConstraint(condition=models.Q(('role__in', ['manager', 'adjudicator', 'annotator', 'viewer'])), name='invitation_role')],
            },
        ),
        migrations.CreateModel(
            name='Submission',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=64)),
                ('body_sha256', models.CharField(max_length=64)),
                ('result', models.JSONField(null=True)),
                ('begun_at', models.DateTimeField(db_index=True)),
                ('project', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='projects.project')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['id'],
                'constraints': [models.UniqueConstraint(fields=('user', 'key'), name='submission_once')],
            },
        ),
        migrations.CreateModel(
            name='ApiToken',
            fields=[
                ('token_key', models.CharField(db_index=True, max_length=25)),
                ('created', models.DateTimeField(auto_now_add=True)),
                ('expiry', models.DateTimeField(blank=True, null=True)),
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('digest', models.CharField(max_length=128, unique=True)),
                ('name', models.CharField(default='Login', help_text='Where the token is used.', max_length=80)),
                ('scope', models.CharField(choices=[('read', 'Read: GET only'), ('annotate', 'Annotate: read, and answer what is assigned to you'), ('manage', 'Manage: everything that your roles allow')], default='manage', help_text='What the token may do; never more than its owner.', max_length=8)),
                ('last_used_at', models.DateTimeField(help_text='When it was last used, to the minute.', null=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='auth_token_set', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['id'],
                'constraints': [models.CheckConstraint(condition=models.Q(('scope__in', ['read', 'annotate', 'manage'])), name='token_scope')],
            },
        ),
        migrations.CreateModel(
            name='OwnLanguage',
            fields=[
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='+', serialize=False, to=settings.AUTH_USER_MODEL)),
                ('language', models.CharField(max_length=10)),
            ],
        ),
        migrations.RunPython(
            make_append_only, migrations.RunPython.noop
        ),
        migrations.CreateModel(
            name='EarlierGuidelines',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('version', models.PositiveIntegerField()),
                ('text', models.TextField(blank=True)),
                ('replaced_at', models.DateTimeField(auto_now_add=True)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='earlier_guidelines', to='projects.project')),
                ('replaced_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['project', '-version'],
                'constraints': [models.UniqueConstraint(fields=('project', 'version'), name='earlier_guidelines_version')],
            },
        ),
    ]
