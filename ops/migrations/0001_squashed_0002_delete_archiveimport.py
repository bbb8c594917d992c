import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    replaces = [('ops', '0001_initial'), ('ops', '0002_delete_archiveimport')]

    dependencies = [
        ('projects', '0001_squashed_0003_delete_installationsettings'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='ProjectArchive',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('sha256', models.CharField(max_length=64)),
                ('bytes', models.PositiveBigIntegerField()),
                ('rows', models.PositiveBigIntegerField()),
                ('files', models.PositiveIntegerField()),
                ('written_at', models.DateTimeField(default=django.utils.timezone.now, help_text='When it was last asked for, in UTC.')),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='archives', to='projects.project')),
            ],
            options={
                'ordering': ['-id'],
                'constraints': [models.UniqueConstraint(fields=('project', 'sha256'), name='archive_once')],
            },
        ),
    ]
